backend = object()
