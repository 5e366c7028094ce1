"""Gradients for any Trivet backend: `Autodiff(B)` computes with `B` and records.

>>> import trivet as tv
>>> from trivet_autodiff import grad
>>> grad(lambda x: (x * x).sum())(tv.asarray([1.0, 2.0])).tolist()
[2.0, 4.0]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trivet_autodiff.anomaly import AnomalyError, detect_anomaly
    from trivet_autodiff.backend import Autodiff
    from trivet_autodiff.casting import Autocast, AutocastBfloat16, autocast
    from trivet_autodiff.constants import stop_gradient
    from trivet_autodiff.custom import custom_jvp, custom_vjp
    from trivet_autodiff.differences import gradcheck, gradgradcheck
    from trivet_autodiff.forward import Forward
    from trivet_autodiff.gradients import Gradients
    from trivet_autodiff.graphs import Graph, graph
    from trivet_autodiff.hooks import keep_gradient, on_gradient
    from trivet_autodiff.jacobians import hessian, hvp, jacobian
    from trivet_autodiff.mode import enable_grad, no_grad
    from trivet_autodiff.region import checkpoint
    from trivet_autodiff.scaler import GradientScaler
    from trivet_autodiff.streaming import gradients_as_ready
    from trivet_autodiff.tangents import jvp, linearize
    from trivet_autodiff.transforms import grad, value_and_grad, vjp

__all__ = [
    "AnomalyError",
    "Autocast",
    "AutocastBfloat16",
    "Autodiff",
    "Forward",
    "GradientScaler",
    "Gradients",
    "Graph",
    "autocast",
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "gradients_as_ready",
    "graph",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "keep_gradient",
    "linearize",
    "no_grad",
    "on_gradient",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]

_HOMES = {
    "AnomalyError": "anomaly",
    "Autocast": "casting",
    "AutocastBfloat16": "casting",
    "Autodiff": "backend",
    "Forward": "forward",
    "GradientScaler": "scaler",
    "Gradients": "gradients",
    "Graph": "graphs",
    "autocast": "casting",
    "checkpoint": "region",
    "custom_jvp": "custom",
    "custom_vjp": "custom",
    "detect_anomaly": "anomaly",
    "enable_grad": "mode",
    "grad": "transforms",
    "gradcheck": "differences",
    "gradgradcheck": "differences",
    "gradients_as_ready": "streaming",
    "graph": "graphs",
    "hessian": "jacobians",
    "hvp": "jacobians",
    "jacobian": "jacobians",
    "jvp": "tangents",
    "keep_gradient": "hooks",
    "linearize": "tangents",
    "no_grad": "mode",
    "on_gradient": "hooks",
    "stop_gradient": "constants",
    "value_and_grad": "transforms",
    "vjp": "transforms",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Listing plugins imports the entry point's module in this package, and no more."""
    if name in _HOMES:
        return getattr(import_module(f"trivet_autodiff.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'trivet_autodiff' has no attribute {name!r}")
