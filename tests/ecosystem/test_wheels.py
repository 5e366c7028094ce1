"""A program with the four wheels, and with core when a plugin has gone again."""

PROGRAM = """
import json
import trivet as tv

nd = tv.backend("ndarray")
ad = tv.backend("autodiff(ndarray)")
x = tv.tensor([3.0], backend=nd)
w = tv.tensor([2.0], backend=ad).require_grad()
y = (w * w * x).sum()
grads = y.backward()
print(json.dumps({"gradient": grads[w].tolist(), "on": grads[w].backend.name}))
"""


def test_readme_program_gives_its_gradient(family):
    answer = family.run(PROGRAM)

    # y = w * w * x, so dy/dw = 2 * w * x = 12 at w = 2 and x = 3
    assert answer == {"gradient": [12.0], "on": "ndarray"}


def test_core_imports_and_says_what_to_install_when_ndarray_has_gone(bare):
    answer = bare.run(
        """
        import json
        import trivet as tv

        try:
            tv.zeros(2)
        except tv.errors.UnknownBackendError as error:
            print(json.dumps(str(error)))
        """
    )

    assert 'pip install "trivet[ndarray]"' in answer
