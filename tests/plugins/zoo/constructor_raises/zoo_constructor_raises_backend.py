from zoo_stub import Stub


class Zoo(Stub):
    name = "constructor_raises"

    def __init__(self):
        raise MemoryError("no room for the workspace")
