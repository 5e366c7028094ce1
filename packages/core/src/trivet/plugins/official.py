"""`OFFICIAL`: the plugins that this project publishes, for messages and the default.

Loading treats them as it treats any other plugin. These facts serve where nothing is
installed to ask: which `pip install` to print, what an alias means, and which backend
is the default.
"""

from typing import NamedTuple

from trivet.plugins.states import Kind

__all__ = ["DEFAULT", "OFFICIAL", "SPELLINGS", "Official", "canonical"]


class Official(NamedTuple):
    """A published plugin: its name, how else it is called, and its extra on trivet."""

    name: str
    kind: Kind
    extra: str
    aliases: tuple[str, ...] = ()

    @property
    def install(self) -> str:
        """The line that installs it.

        >>> OFFICIAL["ndarray"].install
        'pip install "trivet[ndarray]"'
        """
        return f'pip install "trivet[{self.extra}]"'


DEFAULT = "ndarray"
OFFICIAL = {
    plugin.name: plugin
    for plugin in (
        Official("ndarray", "backend", "ndarray", ("numpy",)),
        Official("cuda", "backend", "cuda12", ("cupy",)),
        Official("autocast", "decorator", "autodiff"),
        Official("autocast_bfloat16", "decorator", "autodiff"),
        Official("autodiff", "decorator", "autodiff"),
        Official("forward", "decorator", "autodiff"),
    )
}
_ALIASES = {alias: p.name for p in OFFICIAL.values() for alias in p.aliases}
SPELLINGS: dict[str, Kind] = {
    word: p.kind for p in OFFICIAL.values() for word in (p.name, *p.aliases)
}
"""Every published name and alias, for near matches."""


def canonical(name: str) -> str:
    """`name`, or the published name that it is an alias of.

    >>> canonical("numpy")
    'ndarray'
    """
    return _ALIASES.get(name, name)
