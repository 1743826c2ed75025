#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Puts all rewrites of a tree into one kernel, and compares what it does with what the tree's own does.

python3 benchmarks/whole.py TREE [PART…] [--seed N] [--selftests FOLDER…] [--with SYMBOL…] [--without SYMBOL…]

The configuration builds as many of the rewritten files as it can. Parts: the catalogue of bench with its
faults, the tree's selftests, stress-ng --verify, trinity with a fixed seed, seeded system calls by both
entries near the end of a page, every ioctl on what can be opened. The tree's own kernel runs twice, the second
time with another clock: what differs between these, as the time that ppoll() has left, is no fault of the rewrites.
"""

from __future__ import annotations

import argparse
import re
import shutil
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

from hotcocci.bench import counts, kernel, profile  # noqa: E402
from hotcocci.bench import run as emulator  # noqa: E402
from hotcocci.bench.catalogue import catalogue  # noqa: E402
from hotcocci.bench.changed import rebuilt  # noqa: E402
from hotcocci.bench.kernel import Image, Kernel  # noqa: E402
from hotcocci.bench.machine import X86_64  # noqa: E402
from hotcocci.bench.catalogue import PROGRAM, must, ramdisk  # noqa: E402
from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import PREPARED, Change  # noqa: E402
from hotcocci.pipeline.proving import propose  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.pool import spread  # noqa: E402
from hotcocci.tree.build import make  # noqa: E402
from hotcocci.tree.kconfig import architectures_of  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.process import run  # noqa: E402
from hotcocci.tree.source import read_text  # noqa: E402
from hotcocci.tree.targets import Target  # noqa: E402

PARTS = ("catalogue", "selftests", "stress", "trinity", "calls", "ioctls")
SELFTESTS = (
    *("futex/functional", "timers", "filesystems/epoll", "ipc", "mqueue", "ptrace"),
    *("sigaltstack", "rseq", "splice", "capabilities", "clone3", "exec", "mincore"),
    *("openat2", "pidfd", "proc", "rlimits", "sync", "syscall_user_dispatch", "timens"),
    *("tmpfs", "x86", "net", "kcmp", "membarrier", "memfd", "mount", "prctl", "signal"),
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
STRESSORS = (
    *("access", "aio", "dup", "epoll", "eventfd", "fcntl", "futex", "get", "getdent"),
    *("inotify", "itimer", "key", "mq", "msg", "pidfd", "pipe", "poll", "prctl", "sem"),
    *("sendfile", "seek", "set", "shm", "sigfd", "sigpending", "sigq", "sigsuspend"),
    *("sock", "sockpair", "splice", "tee", "timer", "timerfd", "udp", "utime", "xattr"),
)
HERE = Path(__file__).resolve().parent / "whole"
SECONDS = 7200.0
# Line numbers are not used here, and a third of a build's time.
_NO_DEBUG = "DEBUG_INFO_NONE"
_STATIC = ("gcc", "-O2", "-static", "-w", "-D_GNU_SOURCE", "-D__EXPORTED_HEADERS__")
# The addresses of its marks are in no other program.
_APART = ("-no-pie", "-Wl,-Ttext-segment=0x60000000")
_LIBRARIES = ("-lpthread", "-lrt", "-lm", "-ldl")
# By _IOW() and what is named like it, or old ones: #define TCGETS 0x5401
_IOCTL = re.compile(
    r"^#define[ \t]+(\w+)[ \t]+(?:\w*IO[RW]*\(|0x[0-9A-Fa-f]{4}\b)", re.MULTILINE
)
_WRONG = re.compile(r"^n:(\d+):.* error:", re.MULTILINE)
# pid=4711, # 4711[12] unshare(): how many processes there were before depends on the time.
_PROCESS = re.compile(r"(?<=pid=)\d+|(?<=# )\d+(?=\[)")
# Of trinity: [child0:24] [12] [32BIT] poll(ufds=0x555556019750, nfds=2, timeout_msecs=0) = -1 (Bad address)
_FUZZED = re.compile(r"\[child0:\d+\] (\[\d+\] (?:\[32BIT\] )?\w+)\(.*\) = (.*)")
_LONG = re.compile(r"\.long\t(-?\d+)")


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
    parser.add_argument(
        "--with",
        dest="also",
        nargs="+",
        default=[],
        metavar="SYMBOL",
        help="set these, too: KASAN UBSAN",
    )
    parser.add_argument("--without", nargs="+", default=WITHOUT, metavar="SYMBOL")
    parser.add_argument(
        "--small",
        action="store_true",
        help="minutes instead of an hour: the configuration of bench, which builds fewer of the files, "
        "and --no-helpers",
    )
    parser.add_argument(
        "--no-helpers",
        action="store_true",
        help="without rewrites that add a helper to a header, for which all files are built again",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    tree = find_tree(options.tree)
    changes = rewritten(tree, options.jobs, options.cache_dir)
    files = [change.file for change in changes]
    target = X86_64.target if options.small else large(tree, files, options.without)
    texts = together(changes, not (options.small or options.no_helpers))
    if options.also:
        off = tuple(symbol for symbol in target.off if symbol not in options.also)
        target = replace(target, on=(*target.on, *options.also), off=off)
    machine = replace(X86_64, target=target)
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


def rewritten(tree: Tree, jobs: int, cache: Path) -> tuple[Change, ...]:
    """All of our rewrites, by the files that they change."""
    settings = Settings(tier=PREPARED, show="cold", jobs=jobs, cache_dir=cache)
    proposed = propose(tree, [tree.root], settings)
    print(f"{len(proposed.rewrites)} rewrites, {len(proposed.changes)} files")
    return proposed.changes


def together(changes: Iterable[Change], helpers: bool) -> dict[str, str]:
    """The text of each file with its rewrites; with ``helpers`` also of those in other files."""
    taken = [change for change in changes if helpers or not change.others]
    texts = {change.file: change.new for change in taken}
    for change in taken:
        texts |= {other.file: other.new for other in change.others}
    print(f"{len(texts)} files are changed", flush=True)
    return texts


def built(own: Kernel, texts: Mapping[str, str], jobs: int) -> Both:
    """Build both kernels, and print how many files are in them and what their builds warn of."""
    first = kernel.built(own, {}, "own", jobs)
    kept = kernel.kept_objects(own)
    second = kernel.built(own, texts, "ours", jobs)
    sources = [f for f in texts if f.endswith(".c") and _is_of_x86(own.tree, f)]
    present = sum((own.build.out / f"{f[:-2]}.o").is_file() for f in sources)
    print(f"{present} of the {len(sources)} C files that x86 can have are built")
    for warning in sorted(second.warnings - first.warnings):
        print(f"new warning: {warning}")
    sys.stdout.flush()
    return Both(own, first, second, frozenset(rebuilt(own, kept)[0]))


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
    tables = []
    for image in (both.own, both.ours):
        printed, executed = _counted(image, disk, emulator.CALLS)
        tables.append(counts.instructions(printed, executed, ""))
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
    sys.stdout.flush()
    return len(results) + len(differ)


def compare(
    part: str, both: Both, place: Path, programs: Iterable[str], ran: set[str]
) -> int:
    """Run the programs of a part in both kernels; returns how many of their lines differ."""
    lines = list(programs)
    (place / "programs").write_text("".join(f"{line}\n" for line in lines))
    must([*_STATIC, *_APART, "-o", PROGRAM, str(HERE / "init.c")], place)
    files = [*lines_of_files(place)]
    argv = ["cpio", "--quiet", "-o", "-H", "newc", "-O", "whole.cpio"]
    must(argv, place, stdin="".join(f"{file}\n" for file in files))
    disk = place / "whole.cpio"
    own = said_by(_boot(disk, both.own, ""))
    again = said_by(_boot(disk, both.own, "", ["-icount", "shift=1,sleep=off"]))
    ours = said_by(_boot(disk, both.ours, ""))
    differ = [
        key
        for key in dict.fromkeys([*own, *ours])
        if own.get(key) != ours.get(key) and own.get(key) == again.get(key)
    ]
    unsteady = sum(own[key] != again.get(key) for key in own)
    print(
        f"{part}: {len(lines)} programs, {len(own)} lines, {unsteady} differ by themselves, "
        f"{len(differ)} with our rewrites"
    )
    for key in differ[:60]:
        print(f"  {key}: {own.get(key, 'nothing')} -> {ours.get(key, 'nothing')}")
    sys.stdout.flush()
    ran |= _functions(both.ours, _counted(both.ours, disk, "")[1])
    return len(differ)


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
) -> tuple[list[str], dict[counts.Row, profile.Executed]]:
    """What the programs print, and the instructions that run."""
    printed = _boot(disk, image, mode, profile.options(disk.parent, X86_64))
    return printed, profile.executed(printed, disk.parent)


def _functions(
    image: Image, executed: Mapping[counts.Row, profile.Executed]
) -> set[str]:
    """The functions of the kernel that run."""
    symbols = profile.Symbols(image)
    return {name for each in executed.values() for name in symbols.functions(each)}


def calls(own: Kernel, arguments: str, place: Path) -> list[str]:
    """Compile the program that makes seeded calls; returns its line of programs."""
    headers = _headers(own)
    names = {
        header: _IOCTL.findall(read_text(header))
        for header in sorted(headers.rglob("*.h"))
    }
    numbers = {
        bits: {
            n
            for header in names
            for n in _numbers(header, names[header], headers, bits)
        }
        for bits in (64, 32)
    }
    lines = []
    for bits, found in numbers.items():
        lines.append(f"#define IOCTLS{bits} {len(found)}")
        row = ", ".join(map(str, sorted(found)))
        lines.append(f"static const unsigned int ioctls{bits}[] = {{ {row} }};")
    (place / "ioctls.h").write_text("\n".join(lines) + "\n")
    print(
        f"{sum(map(len, names.values()))} names of ioctls, {len(numbers[64])} numbers by the "
        f"64-bit and {len(numbers[32])} by the 32-bit entry"
    )
    must([*_STATIC, f"-I{place}", "-o", "calls", str(HERE / "calls.c")], place)
    return [f"{arguments.split()[0]} 100000 /calls {arguments}"]


def _numbers(header: Path, names: Sequence[str], headers: Path, bits: int) -> list[int]:
    """The numbers of a header's ioctls; without those whose structures it does not define."""
    lines = [f"unsigned int v{n} = {name};" for n, name in enumerate(names)]
    argv = ["gcc", "-S", "-w", f"-m{bits}", "-o-", "-xc", f"-I{headers}", "-"]
    included = ("stddef.h", "linux/types.h", str(header.relative_to(headers)))
    head = "".join(f"#include <{each}>\n" for each in included) + '# 1 "n"\n'
    while lines:
        said = run(argv, headers, 60, stdin=head + "\n".join(lines) + "\n")
        if said.status == 0:
            return [int(n) & 0xFFFFFFFF for n in _LONG.findall(said.out)]
        wrong = {int(number) for number in _WRONG.findall(said.err)}
        if not wrong:
            return []
        lines = [each for n, each in enumerate(lines, 1) if n not in wrong]
    return []


def selftests(own: Kernel, folders: Sequence[str], jobs: int, place: Path) -> list[str]:
    """Compile the tree's selftests that are one static program; returns their lines of programs."""
    root = own.tree / "tools/testing/selftests"
    sources = [
        source
        for folder in folders
        for source in sorted((root / folder).glob("*.c"))
        if re.search(r"\bint main\(|TEST_HARNESS_MAIN", read_text(source))
    ]
    compile_ = partial(_compiled, root, _headers(own), place)
    done = spread(compile_, sources, jobs, 4, None)
    names = [name for _, name in done if isinstance(name, str)]
    print(f"{len(names)} of {len(sources)} selftests compile", flush=True)
    return [f"{name} 60 /{name}" for name in names]


def _compiled(root: Path, headers: Path, place: Path, source: Path) -> str | None:
    name = str(source.relative_to(root).with_suffix("")).replace("/", ".")
    includes = [f"-I{root}", f"-I{source.parent}", f"-I{source.parent / 'include'}"]
    argv = [
        *(*_STATIC, *includes, f"-I{source.parent.parent / 'include'}"),
        *("-s", "-isystem", str(headers), "-o", name, str(source), *_LIBRARIES),
    ]
    return name if run(argv, place, 120).status == 0 else None


def stress(seed: int, place: Path) -> list[str]:
    """Copy stress-ng and its libraries; returns its lines of programs."""
    program = _copied("stress-ng", place)
    return [
        f"{each} 120 {program} --{each} 1 --{each}-ops 200 --verify --seed {seed} --temp-path /tmp"
        for each in STRESSORS
    ]


def trinity(seed: int, place: Path) -> list[str]:
    """Copy trinity and its libraries; returns its line of programs."""
    program = _copied("trinity", place)
    users = place / "etc/passwd"
    users.parent.mkdir()
    # As root it would end the machine.
    users.write_text("nobody:x:65534:65534::/tmp:/bin/false\n")
    return [f"trinity 6000 {program} --dropprivs -C1 -N5000 -s{seed} -loff"]


def _copied(name: str, place: Path) -> str:
    """Copy a program of the machine and its libraries; returns its path."""
    program = shutil.which(name)
    if program is None:
        raise UserError(f"this part needs {name}: apt install {name}")
    libraries = re.findall(r"(/\S+) \(0x", run(["ldd", program], place, 60).out)
    for file in (program, *libraries):
        copy = place / file.lstrip("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    return program


def _headers(own: Kernel) -> Path:
    """The headers that the tree exports to programs."""
    made = make(own.build, ["-s", "headers"])
    if made.status != 0:
        raise UserError(f"make headers fails: {made.err.strip()[-200:]}")
    return own.build.out / "usr/include"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"hotcocci: {error}")
