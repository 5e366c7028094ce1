"""The light entry point of `Autocast`: what `trivet` learns about it at a glance."""

from trivet.contract import DecoratorSpec, hookimpl


@hookimpl
def trivet_decorator() -> DecoratorSpec:
    """The decorator that computes products in float16."""
    return DecoratorSpec(name="autocast", cls="trivet_autodiff.casting:Autocast")
