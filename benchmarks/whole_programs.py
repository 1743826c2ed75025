# SPDX-License-Identifier: GPL-2.0
"""What benchmarks/whole.py runs in each kernel: selftests, stress-ng, trinity and seeded calls, with their lines of programs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from hotcocci.bench.catalogue import must
from hotcocci.bench.kernel import Kernel
from hotcocci.errors import UserError
from hotcocci.pool import spread
from hotcocci.tree.build import make
from hotcocci.tree.process import run
from hotcocci.tree.source import read_text

STRESSORS = (
    *("access", "aio", "dup", "epoll", "eventfd", "fcntl", "futex", "get", "getdent"),
    *("inotify", "itimer", "key", "mq", "msg", "pidfd", "pipe", "poll", "prctl", "sem"),
    *("sendfile", "seek", "set", "shm", "sigfd", "sigpending", "sigq", "sigsuspend"),
    *("sock", "sockpair", "splice", "tee", "timer", "timerfd", "udp", "utime", "xattr"),
)
HERE = Path(__file__).resolve().parent / "whole"
_SHARED = ("gcc", "-O2", "-w", "-D_GNU_SOURCE", "-D__EXPORTED_HEADERS__")
STATIC = (*_SHARED, "-static")
_LIBRARIES = ("-lpthread", "-lrt", "-lm", "-ldl")
# What ALSA's library needs beside itself
_ALSA = Path("/usr/share/alsa")
# By _IOW() and what is named like it, or old ones: #define TCGETS 0x5401
_IOCTL = re.compile(
    r"^#define[ \t]+(\w+)[ \t]+(?:\w*IO[RW]*\(|0x[0-9A-Fa-f]{4}\b)", re.MULTILINE
)
_WRONG = re.compile(r"^n:(\d+):.* error:", re.MULTILINE)
_LONG = re.compile(r"\.long\t(-?\d+)")


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
    must([*STATIC, f"-I{place}", "-o", "calls", str(HERE / "calls.c")], place)
    return [f"{arguments.split()[0]} 100000 /tmp /calls {arguments}"]


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
    """Compile the tree's selftests that are one program; returns their lines of programs. ALSA's need libasound2-dev."""
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
    alsa = [name for name in names if name.startswith("alsa.")]
    if alsa:
        _copy(_libraries(place / alsa[0]), place)
        shutil.copytree(_ALSA, place / _ALSA.relative_to("/"))
        # pcm-test reads files of the folder that it runs in.
        shutil.copytree(root / "alsa", place / "alsa")
    return [f"{n} 600 /alsa /{n}" if n in alsa else f"{n} 60 /tmp /{n}" for n in names]


def _compiled(root: Path, headers: Path, place: Path, source: Path) -> str | None:
    name = str(source.relative_to(root).with_suffix("")).replace("/", ".")
    includes = [f"-I{root}", f"-I{source.parent}", f"-I{source.parent / 'include'}"]
    alsa = source.parent.name == "alsa"
    # Debian has ALSA's library as a shared object only.
    more = (str(source.with_name("conf.c")), "-lasound") if alsa else ()
    argv = [
        *(_SHARED if alsa else STATIC),
        *(*includes, f"-I{source.parent.parent / 'include'}", "-s"),
        *("-isystem", str(headers), "-o", name, str(source), *more, *_LIBRARIES),
    ]
    return name if run(argv, place, 120).status == 0 else None


def stress(seed: int, place: Path) -> list[str]:
    """Copy stress-ng and its libraries; returns its lines of programs."""
    program = _copied("stress-ng", place)
    return [
        f"{each} 120 /tmp {program} --{each} 1 --{each}-ops 200 --verify --seed {seed} --temp-path /tmp"
        for each in STRESSORS
    ]


def trinity(seed: int, place: Path) -> list[str]:
    """Copy trinity and its libraries; returns its line of programs."""
    program = _copied("trinity", place)
    users = place / "etc/passwd"
    users.parent.mkdir()
    # As root it would end the machine.
    users.write_text("nobody:x:65534:65534::/tmp:/bin/false\n")
    return [f"trinity 6000 /tmp {program} --dropprivs -C1 -N5000 -s{seed} -loff"]


def _copied(name: str, place: Path) -> str:
    """Copy a program of the machine and its libraries; returns its path."""
    program = shutil.which(name)
    if program is None:
        raise UserError(f"this part needs {name}: apt install {name}")
    _copy([program, *_libraries(program)], place)
    return program


def _libraries(program: str | Path) -> list[str]:
    return re.findall(r"(/\S+) \(0x", run(["ldd", str(program)], HERE, 60).out)


def _copy(files: Iterable[str], place: Path) -> None:
    """Copy files of the machine to where they are under another root."""
    for file in files:
        copy = place / file.lstrip("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)


def _headers(own: Kernel) -> Path:
    """The headers that the tree exports to programs."""
    made = make(own.build, ["-s", "headers"])
    if made.status != 0:
        raise UserError(f"make headers fails: {made.err.strip()[-200:]}")
    return own.build.out / "usr/include"
