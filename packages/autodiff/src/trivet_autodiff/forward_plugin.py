"""The light entry point of `Forward`: what `trivet` learns about it at a glance."""

from trivet.contract import DecoratorSpec, hookimpl


@hookimpl
def trivet_decorator() -> DecoratorSpec:
    """The decorator that carries tangents along."""
    return DecoratorSpec(name="forward", cls="trivet_autodiff.forward:Forward")
