"""These tests need PyTorch, and are left out where it is not installed."""

from importlib.util import find_spec

collect_ignore = (
    []
    if find_spec("torch") and find_spec("expecttest")
    else ["test_op_db.py", "test_forward.py"]
)
