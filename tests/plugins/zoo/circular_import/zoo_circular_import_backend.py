import trivet.plugins
from zoo_stub import Stub

GOOD = trivet.plugins.backend("good")


class Zoo(Stub):
    name = "circular_import"
