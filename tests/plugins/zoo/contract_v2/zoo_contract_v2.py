raise RuntimeError("imported although it is incompatible")
