#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the findings for a table of hot functions of 6.12 that copy a few bytes.

    python3 benchmarks/copy_table.py TREE [--profile] [--cache-dir FOLDER]

An entry is a function, a copy routine, and the argument for the kernel's memory; its line is
searched in the text of TREE. Prints the rule, the verdict with tier or reason, and the size of the
finding. Exit code 1 if an entry has no finding or another size. With --profile, only the functions
in the table are hot, by a generated perf report.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Site:
    """A row of the table; ``size`` is a pattern for the number of bytes in the message."""

    row: int
    file: str
    function: str
    routine: str
    kernel: str
    size: str


# In the message if the size is only known at run time.
GIVEN = "a length that"
DRM = r"\b4 \(.*\b8 \("

SITES = (
    Site(1, "fs/select.c", "get_fd_set", "copy_from_user", "fdset", "multiple of 8"),
    Site(1, "fs/select.c", "set_fd_set", "__copy_to_user", "fdset", "multiple of 8"),
    Site(
        2,
        "fs/select.c",
        "do_sys_poll",
        "copy_from_user",
        "walk->entries",
        "multiple of 8",
    ),
    Site(3, "kernel/signal.c", "set_user_sigmask", "copy_from_user", "&kmask", "8"),
    Site(4, "kernel/signal.c", "rt_sigprocmask", "copy_from_user", "&new_set", "8"),
    Site(4, "kernel/signal.c", "rt_sigprocmask", "copy_to_user", "&old_set", "8"),
    Site(5, "kernel/time/time.c", "get_timespec64", "copy_from_user", "&kts", "16"),
    Site(5, "kernel/time/time.c", "put_timespec64", "copy_to_user", "&kts", "16"),
    Site(6, "fs/eventfd.c", "eventfd_write", "copy_from_user", "&ucnt", "8"),
    Site(
        7,
        "virt/kvm/kvm_main.c",
        "kvm_write_guest_offset_cached",
        "__copy_to_user",
        "data",
        r"\b1 \(.*\b4 \(",
    ),
    Site(
        7,
        "virt/kvm/kvm_main.c",
        "kvm_read_guest_offset_cached",
        "__copy_from_user",
        "data",
        r"\b1 \(.*\b4 \(",
    ),
    Site(
        8,
        "drivers/vhost/vhost.c",
        "vhost_copy_to_user",
        "__copy_to_user",
        "from",
        "multiple of 8",
    ),
    Site(
        8,
        "drivers/vhost/vhost.c",
        "vhost_copy_from_user",
        "__copy_from_user",
        "to",
        r"\b16 \(",
    ),
    Site(9, "net/socket.c", "move_addr_to_kernel", "copy_from_user", "kaddr", GIVEN),
    Site(9, "net/socket.c", "move_addr_to_user", "copy_to_user", "kaddr", GIVEN),
    Site(10, "fs/eventpoll.c", "epoll_ctl", "copy_from_user", "&epds", "12"),
    Site(
        11,
        "drivers/android/binder.c",
        "binder_put_node_cmd",
        "put_user",
        "cmd",
        "3 accesses",
    ),
    Site(
        11,
        "drivers/android/binder.c",
        "binder_thread_read",
        "copy_to_user",
        "&tr",
        "64",
    ),
    Site(
        11,
        "drivers/android/binder.c",
        "binder_ioctl_write_read",
        "copy_from_user",
        "&bwr",
        "48",
    ),
    Site(
        11,
        "drivers/android/binder.c",
        "binder_ioctl_write_read",
        "copy_to_user",
        "&bwr",
        "48",
    ),
    Site(
        12, "drivers/gpu/drm/drm_ioctl.c", "drm_ioctl", "copy_from_user", "kdata", DRM
    ),
    Site(12, "drivers/gpu/drm/drm_ioctl.c", "drm_ioctl", "copy_to_user", "kdata", DRM),
    Site(
        13,
        "arch/x86/kernel/fpu/signal.c",
        "check_xstate_in_sigframe",
        "__copy_from_user",
        "fx_sw",
        "48",
    ),
    Site(
        13,
        "arch/x86/kernel/fpu/signal.c",
        "save_xstate_epilog",
        "__copy_to_user",
        "&sw_bytes",
        "48",
    ),
    Site(
        14, "net/socket.c", "copy_msghdr_from_user", "copy_from_user", "&msg", "28 or 56"
    ),
    Site(15, "fs/read_write.c", "copy_file_range", "copy_from_user", "&pos_in", "8"),
    Site(15, "fs/read_write.c", "copy_file_range", "copy_from_user", "&pos_out", "8"),
    Site(15, "fs/read_write.c", "copy_file_range", "copy_to_user", "&pos_in", "8"),
    Site(15, "fs/read_write.c", "copy_file_range", "copy_to_user", "&pos_out", "8"),
    Site(15, "fs/read_write.c", "sendfile64", "copy_from_user", "&pos", "8"),
    Site(15, "fs/splice.c", "__do_splice", "copy_from_user", "&offset", "8"),
    Site(15, "fs/splice.c", "__do_splice", "copy_to_user", "__off_out", "8"),
    Site(15, "fs/splice.c", "__do_splice", "copy_to_user", "__off_in", "8"),
    Site(
        16, "kernel/futex/syscalls.c", "futex_parse_waitv", "copy_from_user", "&aux", "24"
    ),
    Site(
        17,
        "include/linux/sockptr.h",
        "copy_from_sockptr_offset",
        "copy_from_user",
        "dst",
        GIVEN,
    ),
    Site(
        17,
        "include/linux/sockptr.h",
        "copy_to_sockptr_offset",
        "copy_to_user",
        "src",
        GIVEN,
    ),
    Site(
        18,
        "sound/core/pcm_native.c",
        "snd_pcm_xferi_frames_ioctl",
        "copy_from_user",
        "&xferi",
        "12 or 24",
    ),
    Site(
        19, "kernel/time/time.c", "gettimeofday", "put_user", "ts.tv_sec", "2 accesses"
    ),
    *(
        Site(20, file, function, routine, kernel, r"bytes \(how many of .*: \d+ \(")
        for file, function, routine, kernel in (
            ("drivers/media/v4l2-core/v4l2-ioctl.c", "video_get_user", "copy_from_user", "parg"),
            ("drivers/media/v4l2-core/v4l2-ioctl.c", "video_put_user", "copy_to_user", "parg"),
            ("drivers/gpu/drm/amd/amdkfd/kfd_chardev.c", "kfd_ioctl", "copy_from_user", "kdata"),
            ("drivers/gpu/drm/amd/amdkfd/kfd_chardev.c", "kfd_ioctl", "copy_to_user", "kdata"),
            ("drivers/accel/habanalabs/common/habanalabs_ioctl.c", "_hl_ioctl", "copy_from_user", "kdata"),
            ("drivers/dma-buf/dma-heap.c", "dma_heap_ioctl", "copy_from_user", "kdata"),
            ("drivers/media/mc/mc-device.c", "copy_arg_from_user", "copy_from_user", "karg"),
            ("drivers/media/dvb-core/dvbdev.c", "dvb_usercopy", "copy_from_user", "parg"),
            ("sound/core/seq/seq_clientmgr.c", "snd_seq_ioctl", "copy_from_user", "&buf"),
            ("drivers/firewire/core-cdev.c", "dispatch_ioctl", "copy_from_user", "&buffer"),
        )
    ),
)  # fmt: skip


def line_of(tree: Path, site: Site) -> int | None:
    """Find the first line in the function that calls the routine with this kernel buffer."""
    text = (tree / site.file).read_text(encoding="utf-8", errors="surrogateescape")
    call = re.compile(
        rf"(?<!\w){site.routine}\s*\((?:[^;]*?[,(]\s*)?{re.escape(site.kernel)}\s*,"
    )
    if site.routine.endswith("copy_to_user"):
        call = re.compile(
            rf"(?<!\w){site.routine}\s*\([^;]*?,\s*{re.escape(site.kernel)}\s*,"
        )
    for found in re.finditer(rf"\b{site.function}\b[^;{{}}]*\n\{{", text):
        end = text.find("\n}", found.end())
        copied = call.search(text, found.end(), end)
        if copied:
            return text.count("\n", 0, copied.start()) + 1
    return None


def findings(tree: Path, options: list[str]) -> list[dict[str, object]]:
    """Run the rules on the files of the table."""
    files = sorted({str(tree / site.file) for site in SITES})
    rules = [f"--rule={rule}" for rule in ("UA101", "UA201", "UA202", "UA203")]
    command = [
        sys.executable,
        str(ROOT / "run.py"),
        "lint",
        "--all",
        "--churn",
        *files,
        *rules,
    ]
    done = subprocess.run(
        [*command, "--format", "json", *options],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode == 2:
        sys.exit(done.stderr)
    found: list[dict[str, object]] = json.loads(done.stdout)["findings"]
    return found


def profile() -> str:
    """Write a perf report that puts all samples in the functions of the table."""
    names = sorted({site.function for site in SITES})
    head = "# Overhead  Command  Shared Object      Symbol\n"
    share = 100 / len(names)
    return head + "".join(
        f"    {share:.2f}%  program  [kernel.kallsyms]  [k] {name}\n" for name in names
    )


def main() -> None:
    """Print the result of each row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--cache-dir", default="")
    args = parser.parse_args()
    options = [f"--cache-dir={args.cache_dir}"] if args.cache_dir else []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        if args.profile:
            file.write(profile())
            file.flush()
            options += ["--profile", file.name]
        known = findings(args.tree.resolve(), options)
    wrong = 0
    for site in SITES:
        line = line_of(args.tree, site)
        here = [f for f in known if (f["file"], f["line"]) == (site.file, line)]
        size = site.size if not site.size[:1].isdigit() else rf"\b{site.size}\b"
        matching = [
            f for f in here if re.search(size, str(f["message"]).split("; line")[0])
        ]
        wrong += not matching
        for f in here or [{"rule": "-", "verdict": "-", "message": "no finding"}]:
            detail = f.get("tier") or f.get("reason") or ""
            message = str(f["message"]).split("; line")[0][:70]
            mark = " " if matching else "!"
            print(
                f"{mark}{site.row:2} {site.function}:{line} {f['rule']} {f['verdict']} {detail} | {message}"
            )
    print(f"{len(SITES)} places, {wrong} without a finding of the right size")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
