# SPDX-License-Identifier: GPL-2.0
"""The machines that operations run on, one data file each."""

from __future__ import annotations

from hotcocci.bench.machine import Machine
from hotcocci.bench.machines.arm64 import ARM64, SWPAN
from hotcocci.bench.machines.powerpc_e500 import POWERPC_E500
from hotcocci.bench.machines.x86_64 import X86_64

MACHINES: dict[str, Machine] = {
    each.name: each for each in (X86_64, ARM64, SWPAN, POWERPC_E500)
}
