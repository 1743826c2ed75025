#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Puts all rewrites of a tree into one kernel, and compares what it does with what the tree's own does.

python3 benchmarks/whole.py TREE [PART…] [--seed N] [--selftests FOLDER…] [--without SYMBOL…] [--with SYMBOL…]

The configuration builds as many of the rewritten files as it can. Parts: the catalogue of bench with its
faults, the tree's selftests, stress-ng --verify, trinity with a fixed seed, seeded system calls by both
entries near the end of a page, every ioctl on what can be opened. The tree's own kernel runs twice, the second
time with another clock: what differs between these, as the time that ppoll() has left, is no fault of the rewrites.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from whole_config import symbols_for  # noqa: E402
from whole_programs import HERE, STATIC, calls, selftests, stress, trinity  # noqa: E402

from hotcocci.bench import counts, kernel  # noqa: E402
from hotcocci.bench import run as emulator  # noqa: E402
from hotcocci.bench.catalogue import PROGRAM, X86_64, catalogue, must, ramdisk  # noqa: E402
from hotcocci.bench.kernel import Image, Kernel, rebuilt  # noqa: E402
from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import PREPARED  # noqa: E402
from hotcocci.pipeline.proving import propose  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.tree.kconfig import architectures_of  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.targets import Target  # noqa: E402

PARTS = ("catalogue", "selftests", "stress", "trinity", "calls", "ioctls")
SELFTESTS = (
    *("futex/functional", "timers", "filesystems/epoll", "ipc", "mqueue", "ptrace"),
    *("alsa", "sigaltstack", "rseq", "splice", "capabilities", "clone3", "exec"),
    *("openat2", "pidfd", "proc", "rlimits", "sync", "syscall_user_dispatch", "timens"),
    *("tmpfs", "x86", "net", "kcmp", "membarrier", "memfd", "mincore", "mount"),
    *("prctl", "signal"),
)
# Each needs dozens to thousands of files for a rewritten one.
WITHOUT = (
    *("DRM_AMDGPU", "DRM_RADEON", "DRM_NOUVEAU", "DRM_I915", "DRM_XE", "INFINIBAND"),
    *("DRM_ACCEL_HABANALABS", "BCACHEFS_FS", "BTRFS_FS", "XFS_FS", "NFS_FS", "NFSD"),
    *("SMBFS", "CIFS", "ACPI", "SCSI_LOWLEVEL", "MEDIA_DIGITAL_TV_SUPPORT", "FTRACE"),
    *("XEN", "IMA", "SUSPEND", "HIBERNATION", "KEXEC_CORE", "SECURITY_LOADPIN"),
    # The first reboots the machine, and is built without what the others add.
    *("WATCHDOG", "KASAN", "MODULE_SIG", "RUST", "DEBUG_INFO"),
)
SECONDS = 7200.0
# Line numbers are not used here, and a third of a build's time.
_NO_DEBUG = "DEBUG_INFO_NONE"
# The addresses of its marks are in no other program.
_APART = ("-no-pie", "-Wl,-Ttext-segment=0x60000000")
# pid=4711, # 4711[12] unshare(), stress-ng: info:  [4711]: how many processes there were before depends on the time.
_PROCESS = re.compile(r"(?<=pid=)\d+|(?<=# )\d+(?=\[)|(?<=info:  \[)\d+")
# What KASAN and UBSAN say first; lines and offsets are others in another kernel.
_SANITIZER = re.compile(r"(?:BUG: KASAN|UBSAN): \S+ in [\w./]+")
# Of trinity: [child0:24] [12] [32BIT] poll(ufds=0x555556019750, nfds=2, timeout_msecs=0) = -1 (Bad address)
_FUZZED = re.compile(r"\[child0:\d+\] (\[\d+\] (?:\[32BIT\] )?\w+)\(.*\) = (.*)")


@dataclass(frozen=True)
class Both:
    """The tree's own kernel and the one with our rewrites; ``changed`` are the functions whose code differs."""

    kernel: Kernel
    own: Image
    ours: Image
    changed: frozenset[str]


def main() -> int:
    """Print what differs; returns 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=60, help="calls of each number")
    parser.add_argument("--selftests", nargs="+", default=SELFTESTS, metavar="FOLDER")
    parser.add_argument("--without", nargs="+", default=WITHOUT, metavar="SYMBOL")
    parser.add_argument(
        "--with",
        dest="also",
        nargs="+",
        default=(),
        metavar="SYMBOL",
        help="as KASAN and UBSAN, what these say is compared, too",
    )
    parser.add_argument(
        "--small",
        action="store_true",
        help="minutes instead of an hour: the configuration of bench, which builds fewer of the files, "
        "and no rewrite with a helper in a header, for which all files are built again",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    tree = find_tree(options.tree)
    texts = rewritten(tree, options.jobs, options.cache_dir, not options.small)
    target = X86_64.target if options.small else large(tree, texts, options.without)
    if options.also:
        target = replace(
            target,
            name=f"{target.name}-with",
            on=(*target.on, *options.also),
            # KASAN does not go with the allocator for small machines.
            off=(*sorted({*target.off} - {*options.also}), "SLUB_TINY"),
        )
    # Or KASAN says what it finds first, and no more.
    append = f"{X86_64.append} kasan_multi_shot"
    machine = replace(X86_64, target=target, append=append)
    own = kernel.kernel_of(tree.root, machine, options.cache_dir, options.jobs)
    different = 0
    with (
        kernel.held(own),
        tempfile.TemporaryDirectory(prefix="hotcocci-whole-") as folder,
    ):
        both = built(own, texts, options.jobs)
        ran: set[str] = set()
        for part in options.parts or PARTS:
            place = Path(folder) / part
            place.mkdir()
            if part == "catalogue":
                different += compare_catalogue(both, place, ran)
                continue
            programs = {
                "selftests": partial(selftests, own, options.selftests, options.jobs),
                "stress": partial(stress, options.seed),
                "trinity": partial(trinity, options.seed),
                "calls": partial(calls, own, f"calls {options.seed} {options.times}"),
                "ioctls": partial(calls, own, f"ioctls {options.seed}"),
            }[part](place)
            different += compare(part, both, place, programs, ran)
        print(
            f"{len(both.changed)} functions differ, {len(both.changed & ran)} of them ran"
        )
        for name in sorted(both.changed - ran):
            print(f"did not run: {name}()")
    return int(different > 0)


def large(tree: Tree, files: Iterable[str], without: Sequence[str]) -> Target:
    """A configuration that builds as many of these files as it can, and that boots."""
    symbols = symbols_for(tree.root, files, without)
    return replace(
        X86_64.target,
        name="x86-64-whole",
        on=(*(s for s in X86_64.target.on if "DEBUG" not in s), *symbols, _NO_DEBUG),
        off=(*(s for s in X86_64.target.off if s != _NO_DEBUG), *without),
    )


def rewritten(tree: Tree, jobs: int, cache: Path, helpers: bool) -> dict[str, str]:
    """All of our rewrites: the files that they change. ``helpers`` are in other files."""
    settings = Settings(tier=PREPARED, show="cold", jobs=jobs, cache_dir=cache)
    proposed = propose(tree, [tree.root], settings)
    changes = [c for c in proposed.changes if helpers or not c.others]
    texts = {change.file: change.new for change in changes}
    for change in changes:
        texts |= {other.file: other.new for other in change.others}
    made = sum(rewrite.finding.file in texts for rewrite in proposed.rewrites)
    print(
        f"{made} of {len(proposed.rewrites)} rewrites, {len(texts)} files", flush=True
    )
    return texts


def built(own: Kernel, texts: Mapping[str, str], jobs: int) -> Both:
    """Build both kernels, and print how many files are in them and what their builds warn of."""
    first = kernel.built(own, {}, "own", jobs)
    kernel.keep_objects(own)
    second = kernel.built(own, texts, "ours", jobs)
    sources = [f for f in texts if f.endswith(".c") and _is_of_x86(own.tree, f)]
    present = sum((own.build.out / f"{f[:-2]}.o").is_file() for f in sources)
    print(f"{present} of the {len(sources)} C files that x86 can have are built")
    for warning in sorted(second.warnings - first.warnings):
        print(f"new warning: {warning}")
    sys.stdout.flush()
    return Both(own, first, second, frozenset(rebuilt(own)[0]))


def _is_of_x86(root: Path, file: str) -> bool:
    arches = architectures_of(root, file)
    parts = Path(file).parts
    return parts[:2] == ("arch", "x86") or (
        parts[0] != "arch" and (arches is None or "x86" in arches)
    )


def compare_catalogue(both: Both, place: Path, ran: set[str]) -> int:
    """Run the operations of bench and their faults in both kernels; returns how many differ."""
    disk = ramdisk(catalogue(), place, X86_64)
    boot = partial(_boot, disk)
    tables, said = [], []
    for image in (both.own, both.ours):
        printed, executed = _counted(image, disk, emulator.CALLS)
        tables.append(counts.instructions(printed, executed, ""))
        said.append(printed)
    old, new = tables
    ran |= _functions(both.ours, executed)
    results = {r for r, c in old.counts.items() if c.result != new.counts[r].result}
    timed = {each.name for each in catalogue() if each.timed}
    first, second = (boot(image, emulator.FAULTS) for image in (both.own, both.ours))
    made, differ = counts.faults(first, second, timed)
    print(
        f"catalogue: {len(old.counts)} rows, {len(results)} with another result, "
        f"{len(old.missing)} missing; {made} calls with faults, {len(differ)} differ"
    )
    for before, after in differ[:40]:
        print(f"  {before}\n  {after}")
    own, ours = (one + other for one, other in zip(said, (first, second), strict=True))
    worse = sanitizers(own, ours)
    return len(results) + len(differ) + worse


def sanitizers(own: Sequence[str], ours: Sequence[str]) -> int:
    """Print what KASAN and UBSAN say more often with our rewrites than without; returns how much that is."""
    before, after = (
        Counter(_SANITIZER.findall("\n".join(said))) for said in (own, ours)
    )
    if before or after:
        print(f"  KASAN and UBSAN: {before.total()} -> {after.total()}")
    for what, times in (after - before).items():
        print(f"    {what}: {times} times more")
    sys.stdout.flush()
    return (after - before).total()


def compare(
    part: str, both: Both, place: Path, programs: Iterable[str], ran: set[str]
) -> int:
    """Run the programs of a part in both kernels; returns how many of their lines differ."""
    lines = list(programs)
    (place / "programs").write_text("".join(f"{line}\n" for line in lines))
    must([*STATIC, *_APART, "-o", PROGRAM, str(HERE / "init.c")], place)
    files = [*lines_of_files(place)]
    argv = ["cpio", "--quiet", "-o", "-H", "newc", "-O", "whole.cpio"]
    must(argv, place, stdin="".join(f"{file}\n" for file in files))
    disk = place / "whole.cpio"
    printed, with_ours = _boot(disk, both.own, ""), _boot(disk, both.ours, "")
    own, ours = said_by(printed), said_by(with_ours)
    again = said_by(_boot(disk, both.own, "", ["-icount", "shift=1,sleep=off"]))
    differ = [
        key
        for key in dict.fromkeys([*own, *ours])
        if own.get(key) != ours.get(key) and own.get(key) == again.get(key)
    ]
    unsteady = [key for key in own if own[key] != again.get(key)]
    also = sum(own[key] != ours.get(key) for key in unsteady)
    print(
        f"{part}: {len(lines)} programs, {len(own)} lines, {len(unsteady)} differ by themselves, "
        f"{len(differ)} with our rewrites (and {also} of those that differ by themselves)"
    )
    for key in differ[:60]:
        print(f"  {key}: {own.get(key, 'nothing')} -> {ours.get(key, 'nothing')}")
    for what in filter(None, map(cut, printed)):
        print(f"  {what} in the tree's own kernel: the rest of it was not compared")
    ran |= _functions(both.ours, _counted(both.ours, disk, "")[1])
    return len(differ) + sanitizers(printed, with_ours)


def cut(line: str) -> str | None:
    """What a line says of a program that did not run to its end; None if it says another thing."""
    name, _, status = line.partition(" status: ")
    if status == "-1":
        return f"{name} took too long"
    number = int(status) & 0x7F if status.isdigit() else 0
    return f"{name} was killed by signal {number}" if number else None


def lines_of_files(place: Path) -> Iterator[str]:
    """The files of the ramdisk, with their folders before them."""
    for path in sorted(place.rglob("*")):
        yield str(path.relative_to(place))


def said_by(lines: Sequence[str]) -> dict[str, str]:
    """What programs printed: by program and call, or by program and number of the line.

    Of trinity only calls and their results: arguments are addresses and files of processes.
    """
    found: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for line in lines:
        name, _, said = _PROCESS.sub("N", line).partition(": ")
        words = said.split()
        key = f"{name} {' '.join(words[:2])}" if len(words) == 5 else name
        if name == "trinity":
            call = _FUZZED.match(said)
            if call is None:
                continue
            key, said = f"{name} {call[1]}", call[2]
        found[f"{key} {seen[key]}"] = said
        seen[key] += 1
    return found


def _boot(
    disk: Path, image: Image, mode: str, options: Sequence[str] = ()
) -> list[str]:
    options = ("-m", "1024", *options)
    return emulator.boot(X86_64, image, disk, mode, SECONDS, options)


def _counted(
    image: Image, disk: Path, mode: str
) -> tuple[list[str], dict[counts.Row, counts.Executed]]:
    """What the programs print, and the instructions that run."""
    printed = _boot(disk, image, mode, counts.options(disk.parent, X86_64))
    return printed, counts.executed(printed, disk.parent)


def _functions(
    image: Image, executed: Mapping[counts.Row, counts.Executed]
) -> set[str]:
    """The functions of the kernel that run."""
    symbols = counts.Symbols(image)
    return {name for each in executed.values() for name in symbols.functions(each)}


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"hotcocci: {error}")
