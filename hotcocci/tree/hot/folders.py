# SPDX-License-Identifier: GPL-2.0
"""Default hotness of directories and files, for functions that no list names."""

from __future__ import annotations

from hotcocci.tree.hot.scale import PASSED, SELDOM

FOLDERS = {
    # Used by common operations
    "block": PASSED,
    "fs": PASSED,
    "include/linux": PASSED,
    "include/net": PASSED,
    "io_uring": PASSED,
    "ipc": PASSED,
    "kernel": PASSED,
    "lib": PASSED,
    "mm": PASSED,
    "net/core": PASSED,
    "net/ipv4": PASSED,
    "net/ipv6": PASSED,
    "net/socket.c": PASSED,
    "net/unix": PASSED,
    "sound/core": PASSED,
    "virt/kvm": PASSED,
    "arch/arm64/kernel": PASSED,
    "arch/powerpc/kernel": PASSED,
    "arch/x86/entry": PASSED,
    "arch/x86/kernel": PASSED,
    "arch/x86/kvm": PASSED,
    # Single file systems and protocols: used on some machines
    "fs/btrfs": PASSED,
    "fs/ext4": PASSED,
    "fs/xfs": PASSED,
    # Rarely used on any machine
    "arch/x86/boot": SELDOM,
    "arch/x86/kernel/cpu": SELDOM,
    "crypto/testmgr.c": SELDOM,
    "drivers/staging": SELDOM,
    "drivers/video/fbdev": SELDOM,
    "fs/configfs": SELDOM,
    "fs/debugfs": SELDOM,
    "fs/sysfs": SELDOM,
    "init": SELDOM,
    "kernel/configs.c": SELDOM,
    "kernel/debug": SELDOM,
    "kernel/kexec.c": SELDOM,
    "kernel/module": SELDOM,
    "kernel/power": SELDOM,
    "samples": SELDOM,
    "scripts": SELDOM,
    "sound/core/seq/oss": SELDOM,
    "tools": SELDOM,
}
"""The innermost entry counts; anything else is ELSEWHERE."""
