# SPDX-License-Identifier: GPL-2.0
"""ARM64 on two processors, with the same kernel: one with PAN, and one whose kernel emulates it by TTBR0_EL1."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.bench.machine import OFF, ON, Machine
from hotcocci.tree.targets import Target

_TARGET = Target(
    name="arm64-bench",
    arch="arm64",
    folder="arm64",
    config="tinyconfig",
    on=(
        *ON,
        "ARM_AMBA",
        "SERIAL_AMBA_PL011",
        "SERIAL_AMBA_PL011_CONSOLE",
        "ARM64_PAN",
        "ARM64_SW_TTBR0_PAN",
    ),
    off=OFF,
    cross_compile="aarch64-linux-gnu-",
    packages="qemu-system-arm gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross make flex bison bc perl cpio libssl-dev",
)

ARM64 = Machine(
    name="arm64",
    native="aarch64",
    target=_TARGET,
    goal="Image",
    image="arch/arm64/boot/Image",
    # Not the slow algorithm of pointer authentication
    qemu=("qemu-system-aarch64", "-M", "virt", "-cpu", "max,pauth-impdef=on"),
    append="console=ttyAMA0",
)

# A processor of ARMv8.0
SWPAN = replace(
    ARM64,
    name="arm64-swpan",
    native="",
    qemu=("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a57"),
)
