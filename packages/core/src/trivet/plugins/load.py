"""`load_spec` and `load_class`: import a plugin, the light half and the heavy half.

The registry calls them for the one plugin that is asked for. The light module is
registered with pluggy, which checks its hooks; the class is imported only after the
probe has said that it can run here. Each raises `Refusal` when the plugin fails.
"""

import warnings
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from trivet.contract.backend import Backend
from trivet.contract.spec import BackendSpec, DecoratorSpec
from trivet.plugins.boundary import boundary
from trivet.plugins.refusal import Refusal
from trivet.plugins.states import Record, State
from trivet.plugins.validate import validate_class, validate_spec
from trivet.plugins.warning import PluginWarning

if TYPE_CHECKING:
    from pluggy import PluginManager

__all__ = ["hooks", "load_class", "load_spec"]


@cache
def hooks() -> "PluginManager":
    """The pluggy manager that every loaded plugin's light module is registered with."""
    import pluggy  # `import trivet` does without it

    from trivet.contract import hooks as specs  # imports pluggy

    manager = pluggy.PluginManager(specs.PROJECT)
    manager.add_hookspecs(specs)
    return manager


def load_spec(record: Record) -> BackendSpec | DecoratorSpec:
    """Import the light module, register its hooks and return its spec, validated."""
    with boundary(record, record.entry_point):
        module = _resolve(record.entry_point)
    try:
        with boundary(record, record.entry_point):
            _register(record, module)
            spec = validate_spec(record, _ask(record, module))
        _warn_unknown_hooks(record, module)
    except BaseException:
        _unregister(module)  # a plugin that failed leaves no hook behind
        raise
    return spec


def load_class(record: Record, spec: BackendSpec | DecoratorSpec) -> type[Backend[Any]]:
    """Import the backend's class and return it, validated against the contract."""
    with boundary(record, spec.cls):
        found = _resolve(spec.cls)
    return validate_class(record, found)


def _resolve(target: str) -> Any:
    module, _, attributes = target.partition(":")
    found: Any = import_module(module.strip())
    for attribute in filter(None, attributes.strip().split(".")):
        found = getattr(found, attribute)
    return found


def _register(record: Record, module: object) -> None:
    from pluggy import PluginValidationError  # as in `hooks`

    if hooks().is_registered(module):
        return
    try:
        hooks().register(module, name=f"{record.kind}:{record.name}@{record.dist}")
    except PluginValidationError as error:
        reason = "pluggy refuses its hooks: " + " ".join(str(error).split())
        remedy = f"Report this to the authors of {record.dist}."
        raise Refusal(State.INVALID, reason, remedy) from error


def _unregister(module: object) -> None:
    if hooks().is_registered(module):
        hooks().unregister(module)


def _warn_unknown_hooks(record: Record, module: object) -> None:
    for caller in hooks().get_hookcallers(module) or ():
        if not caller.has_spec():
            text = (
                f"{record.label} implements the hook {caller.name!r}, which this "
                "trivet does not have; it is never called. Check its spelling, or "
                "upgrade trivet."
            )
            warnings.warn(text, PluginWarning, stacklevel=2)


def _ask(record: Record, module: object) -> Any:
    """Call this plugin's own `trivet_backend` or `trivet_decorator`, through pluggy."""
    others = [plugin for plugin in hooks().get_plugins() if plugin is not module]
    return hooks().subset_hook_caller(f"trivet_{record.kind}", others)()
