raise RuntimeError("driver 7 not found")
