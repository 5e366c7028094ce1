raise RuntimeError("imported although the probe said no")
