"""`PluginWarning`: a plugin or a setting about plugins is odd, and work goes on."""

__all__ = ["PluginWarning"]


class PluginWarning(UserWarning):
    """Something about a plugin deserves a look, and nothing stops because of it.

    Warned about: metadata that cannot be read, hooks that Trivet does not know, and
    names in `TRIVET_PLUGINS_BLOCK` or `TRIVET_PLUGINS_ALLOW` that no plugin has.
    """
