import trivet.plugins

trivet.plugins.backend("asks_for_itself")
