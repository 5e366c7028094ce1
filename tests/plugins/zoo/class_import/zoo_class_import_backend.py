raise RuntimeError("libfast.so.7 is missing")
