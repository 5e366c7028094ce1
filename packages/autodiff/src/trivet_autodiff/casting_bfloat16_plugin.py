"""The light entry point of `AutocastBfloat16`: what `trivet` learns at a glance."""

from trivet.contract import DecoratorSpec, hookimpl


@hookimpl
def trivet_decorator() -> DecoratorSpec:
    """The decorator that computes products in bfloat16."""
    return DecoratorSpec(
        name="autocast_bfloat16", cls="trivet_autodiff.casting:AutocastBfloat16"
    )
