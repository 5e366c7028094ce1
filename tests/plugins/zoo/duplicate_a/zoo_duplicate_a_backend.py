from zoo_stub import Stub


class Zoo(Stub):
    name = "duplicate"
