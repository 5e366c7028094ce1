"""The light entry point: what `trivet` learns about this plugin at a glance."""

from trivet.contract import DecoratorSpec, hookimpl


@hookimpl
def trivet_decorator() -> DecoratorSpec:
    """The decorator that records gradients."""
    return DecoratorSpec(name="autodiff", cls="trivet_autodiff.backend:Autodiff")
