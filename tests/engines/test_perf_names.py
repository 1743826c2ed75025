# SPDX-License-Identifier: GPL-2.0
"""Which functions and objects in a profile belong to the kernel, and their names in the source."""

from __future__ import annotations

import pytest

from hotcocci.engines.perf.profile import canonical, is_kernel, is_routine


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("finish_task_switch.isra.0", "finish_task_switch"),
        ("f.constprop.0.isra.3", "f"),
        ("f.part.0.cold", "f"),
        ("f+0x10", "f"),
        (".f", "f"),
        ("__x64_sys_poll", "poll"),
        ("__do_sys_poll", "poll"),
        ("__ia32_compat_sys_ppoll_time64", "ppoll_time64"),
        ("__arm64_sys_read", "read"),
        ("sys_ioctl", "ioctl"),
        ("ksys_read", "ksys_read"),
        ("do_sys_poll", "do_sys_poll"),
        ("sysfs_kf_read", "sysfs_kf_read"),
    ],
)
def test_names_are_those_of_the_source(printed: str, name: str) -> None:
    assert canonical(printed) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("[kernel.kallsyms]", True),
        ("[kernel]", True),
        ("[guest.kernel.kallsyms.0]", True),
        ("[snd_pcm]", True),
        ("/lib/modules/6.12.0/kernel/sound/core/snd-pcm.ko.xz", True),
        ("/usr/lib/debug/boot/vmlinux-6.12.0", True),
        ("/proc/kcore", True),
        ("[vdso]", False),
        ("[unknown]", False),
        ("/usr/lib/libc.so.6", False),
        ("bpf_prog_6deef7357e7b4530", False),
    ],
)
def test_objects_of_the_kernel(name: str, expected: bool) -> None:
    assert is_kernel(name) is expected


def test_uaccess_helpers() -> None:
    for name in (
        "__get_user_4",
        "__put_user_nocheck_8",
        "_copy_from_user",
        "__copy_tofrom_user",
    ):
        assert is_routine(name)
    for name in ("get_user_pages", "copy_from_kernel_nofault", "strncpy_from_user"):
        assert not is_routine(name)
