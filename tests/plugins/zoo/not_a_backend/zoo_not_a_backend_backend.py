class Zoo:
    name = "not_a_backend"
