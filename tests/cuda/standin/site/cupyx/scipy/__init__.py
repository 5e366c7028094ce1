"""A stand-in for `cupyx.scipy`, of which there is `special`."""
