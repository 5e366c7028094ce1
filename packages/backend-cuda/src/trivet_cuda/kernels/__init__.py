"""The backend's own CUDA kernels, as text that CuPy compiles on first use.

Each is a tuple of the arguments to `cupy.ElementwiseKernel`: inputs, outputs, the body
for element `i`, and the kernel's name. The bodies are plain C++ too.
"""

__all__ = ["SPLITMIX64"]

SPLITMIX64 = (
    "uint64 key",
    "uint64 bits",
    # Steele, Lea and Flood, OOPSLA 2014: the finalizer of key + (i + 1) * golden ratio
    """
    unsigned long long z = key + (i + 1ULL) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    bits = z ^ (z >> 31);
    """,
    "trivet_splitmix64",
)
