"""GPU memory and the queue of work: what CuPy's pool holds, and waiting for it."""

from collections.abc import Mapping

from trivet.contract import Device
from trivet_cuda.data import Data

__all__ = ["Memory"]


class Memory(Data):
    """CuPy keeps freed memory in a pool for each device and gives it out again."""

    def synchronize(self, device: Device) -> None:
        """Wait until all work that was queued on `device` is done."""
        self.xp.cuda.Device(device.index).synchronize()

    def memory_stats(self, device: Device) -> Mapping[str, int]:
        """In bytes: `used` by arrays, `reserved` by the pool, `free` and `total`.

        `reserved` includes what is used; the last two are the device's, which other
        processes share.
        """
        pool = self.xp.get_default_memory_pool()
        with self.on(device):
            free, total = self.xp.cuda.runtime.memGetInfo()
            used, reserved = pool.used_bytes(), pool.total_bytes()
        return {"used": used, "reserved": reserved, "free": free, "total": total}

    def free_unused_memory(self, device: Device) -> None:
        """Give what the pool holds unused back to `device`."""
        with self.on(device):
            self.xp.get_default_memory_pool().free_all_blocks()
