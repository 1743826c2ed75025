# SPDX-License-Identifier: GPL-2.0
"""Boot a kernel with the operations under QEMU."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hotcocci.bench.kernel import Image
from hotcocci.bench.machine import Machine
from hotcocci.errors import UserError
from hotcocci.tree.process import run

# TCG: KVM has no plugins. One instruction is one tick of the clock, whatever the host does.
_OPTIONS = (
    "-accel tcg -m 256 -nodefaults -display none -serial stdio -no-reboot "
    "-icount shift=0,sleep=off -rtc clock=vm"
).split()
# Without randomness
_APPEND = "panic=-1 quiet nokaslr norandmaps"
# The last line of a run that was not cut off
_DONE = "done"

FAULTS = "f"
CALLS = "c"


def boot(
    machine: Machine,
    image: Image,
    ramdisk: Path,
    mode: str,
    timeout: float,
    options: Iterable[str] = (),
) -> list[str]:
    """What the operations print in a mode. ``options`` are more of QEMU's; ``timeout`` is in seconds.

    Raises UserError if the kernel crashes, and TryAgain if it hangs.
    """
    argv = [
        *(*machine.qemu, *_OPTIONS, *options),
        *("-kernel", str(image.boot), "-initrd", str(ramdisk)),
        *("-append", f"{machine.append} {_APPEND} -- {mode}"),
    ]
    outcome = run(argv, ramdisk.parent, timeout)
    lines = outcome.out.replace("\r", "").splitlines()
    if _DONE not in lines[-3:]:
        told = [line.strip() for line in lines or outcome.err.splitlines()]
        last = next((line for line in reversed(told) if line), "no output")
        raise UserError(f"the {image.boot.stem} kernel did not get to the end: {last}")
    return lines
