"""The light entry point: what `trivet` learns about this plugin without importing it."""

from trivet.contract import DecoratorSpec, hookimpl


@hookimpl
def trivet_decorator() -> DecoratorSpec:
    """The decorator that records gradients."""
    return DecoratorSpec(name="autodiff", cls="trivet_autodiff.backend:Autodiff")
