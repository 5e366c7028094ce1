"""These tests need PyTorch, and are left out where it is not installed.

Its database of samples needs `expecttest` too: where that alone is missing, they fail.
"""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["test_op_db.py", "test_forward.py"]
