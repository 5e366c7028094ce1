"""Fourier transforms: refused, since their results or arguments are complex."""

from trivet_autodiff.rules.registry import RULES, Refusal

__all__: list[str] = []

_TRANSFORMS = (
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"),
    *("fftn", "ifftn", "rfftn", "irfftn", "stft"),
)

RULES.update(
    {
        name: Refusal(
            "complex",
            f"{name}: gradients of complex tensors are not supported. Call .detach() "
            "on the operand if it should count as a constant.",
        )
        for name in _TRANSFORMS
    }
)
