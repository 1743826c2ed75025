# SPDX-License-Identifier: GPL-2.0
"""Get sizes, members and padding of types from libclang, from an unconfigured source tree.

Nothing is built: empty headers and a few settings replace what kbuild generates. The headers that define the types
are parsed first, in a hundredth of the time of the file; the file without what its functions do is only parsed
for types still missing. Errors in functions do not matter, and a record that contains an error is unknown.

A type is only known if its layout is the same with all configuration symbols on and off, and fits
all architectures used.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from hotcocci.c.functions import without_functions
from hotcocci.c.headers import includer, reachable
from hotcocci.c.machines import LaidOut, Machine, laid_out, machines_for
from hotcocci.c.model import MOST_ELEMENTS, RECORD, Layout, Scalar
from hotcocci.c.typed import bare
from hotcocci.errors import UserError
from hotcocci.tree.process import run
from hotcocci.tree.source import content, read_text, text_beside

# Seconds; the largest file takes 2 s.
TIMEOUT = 60.0
# Bytes; larger types are not copied member by member.
SMALL = 32

_PROGRAM = Path(__file__).with_name("libclang.py")
_SOURCE = "asked.c"
_CRASHED = 3
# Headers that kbuild generates or boards provide; none defines a type that is copied.
GENERATED = (
    *(
        f"generated/{name}.h"
        for name in (
            "asm-offsets autoconf bounds cpucap-defs mach-types rq-offsets timeconst utsrelease"
        ).split()
    ),
    *(
        f"asm/{name}.h"
        for name in (
            "cpucap-defs cpufeaturemasks mach-types syscalls_32 syscalls_64 unistd-common unistd-eabi"
            " unistd-oabi unistd-nr unistd_32 unistd_32_ia32 unistd_64 unistd_64_x32"
        ).split()
    ),
    "mach/irqs.h",
)
# Settings that the headers need to compile.
SETTINGS = {
    "MMU": "1",
    "COMPAT": "1",
    "KVM_COMPAT": "1",
    "PAGE_SHIFT": "12",
    "PAGE_OFFSET": "0",
    "PHYS_OFFSET": "0",
    "PGTABLE_LEVELS": "2",
    "HZ": "250",
    "NR_CPUS": "64",
    "NODES_SHIFT": "0",
    "X86_L1_CACHE_SHIFT": "6",
    "X86_INTERNODE_CACHE_SHIFT": "6",
    "ARM_L1_CACHE_SHIFT": "6",
    "PHYSICAL_START": "0",
    "PHYSICAL_ALIGN": "0",
}
_CONFIG = re.compile(
    r"^[ \t]*#[ \t]*(?:el)?if.*\bCONFIG_\w+.*(?:\\\n.*)*", re.MULTILINE
)
_WORD = re.compile(r"\bCONFIG_(\w+)")
_ARCH_HEADER = re.compile(
    r"(?:arch/\w+/include|include/asm-generic|include/uapi/asm-generic)/"
)


@cache
def library() -> Path:
    """The file of libclang, in the package of its bindings. Raises UserError if it is not installed."""
    found = find_spec("clang")
    places = map(Path, (found and found.submodule_search_locations) or ())
    files = [file for place in places for file in place.glob("native/libclang.*")]
    if not files:
        raise UserError("libclang is not installed: pip install libclang")
    return files[0]


def library_state() -> str:
    """Identifies libclang and how it is asked, which results depend on apart from the tree."""
    file = library()
    return f"{file} {file.stat().st_mtime_ns} {content(str(_PROGRAM))}"


# Several rules ask about the same copies of a file, and an edit seldom changes a type.
_answers: dict[tuple[Path, str], dict[str, Layout | None]] = {}


@contextmanager
def remembering(
    root: Path, file: str, answers: dict[str, Layout | None]
) -> Iterator[None]:
    """Let `layouts` take its answers on the types of a file from here, and add those that it finds.

    They depend on what the file includes, and on itself as `without_functions` leaves it.
    """
    _answers[root, file] = answers
    try:
        yield
    finally:
        del _answers[root, file]


def layouts(root: Path, file: str, types: Iterable[str]) -> dict[str, Layout | None]:
    """The layout of each type as a file of the tree sees it, None if it is unknown."""
    names = {type_: bare(type_) for type_ in types}
    known = _answers.get((root, file), {})
    # No header defines void, and it takes a compilation of the whole file to find that out.
    new = dict.fromkeys(n for n in names.values() if n != "void" and n not in known)
    if new:
        # libclang runs in another directory.
        found = _layouts(root.absolute(), file, tuple(new))
        known |= {name: found.get(name) for name in new}
    return {type_: known.get(name) for type_, name in names.items()}


def _layouts(
    root: Path, file: str, wanted: tuple[str, ...]
) -> dict[str, Layout | None]:
    """The layouts of types without qualifiers."""
    found: dict[str, Layout | None] = {}
    headers = {type_: _header(root, file, type_) for type_ in wanted}
    rest = list(wanted)
    # What <uapi/sound/asound.h> leaves open, <sound/asound.h> may define.
    for headers in (headers, {t: _around(root, h) for t, h in headers.items()}):
        alone = [type_ for type_ in rest if headers[type_]]
        includes = [f"#include <{headers[type_]}>" for type_ in alone]
        light = ["#include <linux/types.h>", *dict.fromkeys(includes)]
        found |= _compiled(root, file, light, alone) if alone else {}
        rest = [type_ for type_ in wanted if found.get(type_) is None]
    if rest:
        by = includer(root / file)
        file = file if by is None else str(by.relative_to(root))
        whole = without_functions(read_text(root / file))
        found |= _compiled(root, file, [whole], rest)
    return found


def _compiled(
    root: Path, file: str, includes: Sequence[str], types: Sequence[str]
) -> Mapping[str, Layout | None]:
    """The layouts of types after these lines, in the place of a file."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-ask-") as name:
        folder = Path(name)
        _stand_ins(root, folder)
        return _Asked(root, file, folder).layouts("\n".join(includes), types)


def _stand_ins(root: Path, folder: Path) -> None:
    """Create empty generated headers, and links to the tree, also for asm/ headers that use the generic ones."""
    for name in GENERATED:
        path = folder / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for link, generic in (
        ("own/uapi/asm", "include/uapi/asm-generic"),
        ("tree", ""),
        ("generic/asm", "include/asm-generic"),
        ("generic-uapi/asm", "include/uapi/asm-generic"),
    ):
        (folder / link).parent.mkdir(parents=True, exist_ok=True)
        (folder / link).symlink_to(root / generic)


def _header(root: Path, file: str, type_: str) -> str | None:
    """The #include name of the header that defines a type; None if it is not in a header."""
    name = type_.split()[-1]
    for header in reachable(root, file):
        if name in header.records or name in header.aliases or name in header.closings:
            path = str(header.path.relative_to(root))
            if not path.endswith(".h") or "include/" not in path:
                return None
            found = _ARCH_HEADER.match(path)
            if found is not None:
                inside = path[found.end() :]
                return inside if "/" in inside else f"asm/{inside}"
            return path.partition("include/")[2]
    return _mentioning(root, file, name)


def _around(root: Path, header: str | None) -> str | None:
    """The kernel's own header of the name of a uapi header; None if there is none."""
    name = (header or "").removeprefix("uapi/")
    return name if name != header and (root / "include" / name).is_file() else None


def _mentioning(root: Path, file: str, name: str) -> str | None:
    """The nearest uapi header in which a macro expands to a name; None if there is none."""
    word = re.compile(rf"#[ \t]*define[ \t]+\w+[ \t]+{name}\b")
    for header in reachable(root, file):
        path = str(header.path.relative_to(root))
        if path.startswith("include/uapi/") and word.search(header.text):
            return path.removeprefix("include/")
    return None


@dataclass(frozen=True)
class _Asked:
    """One file to lay types out for, with a scratch folder."""

    root: Path
    file: str
    folder: Path

    def layouts(self, above: str, types: Sequence[str]) -> dict[str, Layout | None]:
        """The layouts of the types after these lines."""
        # Each member begins a line, by which it is found.
        members = (
            f"struct asked_{number} {{ __typeof__({type_})\nasked; }};"
            for number, type_ in enumerate(types)
        )
        text = "\n".join((above, *members))
        (self.folder / _SOURCE).write_text(text, "utf-8", "surrogateescape")
        first = above.count("\n") + 3
        lines = range(first, first + 2 * len(types), 2)
        machines, others = machines_for(self.file)
        # The last machine shows whether there is anything to ask the others.
        last = machines[-1]
        ((off, files),) = self._parsed(lines, [(last, ())])
        if not any(off):
            return dict.fromkeys(types)
        rest = [m for m in dict.fromkeys(machines) if m != last]
        runs = [(last, _words(files)), *((m, ()) for m in rest)]
        (on, _), *dumps = self._parsed(lines, runs)
        by = {last: off} | {m: d for m, (d, _) in zip(rest, dumps, strict=True)}
        seen = [by[machine] for machine in machines]
        found = list(map(_layout, zip(*seen, strict=True), on))
        # Only types that may become accesses must be the same everywhere.
        for several in (others[:1], others[1:]):
            small = [n for n, layout in enumerate(found) if _is_small(layout)]
            if small and several:
                more = self._parsed(lines, [(m, ()) for m in several])
                seen += [each for each, _ in more]
            for n in small:
                if not _alike(each[n] for each in seen):
                    found[n] = _unlike(found[n])
        return dict(zip(types, found, strict=True))

    def _parsed(
        self, lines: Sequence[int], runs: Sequence[tuple[Machine, Iterable[str]]]
    ) -> list[tuple[list[LaidOut | None], list[Path]]]:
        """The types of the members on these lines, and the tree's headers that were read.

        For each machine, with more configuration symbols set.
        """
        options = [self._options(machine, words) for machine, words in runs]
        argv = [sys.executable, "-I", "-S", str(_PROGRAM)]
        argv += [str(library().parents[2]), str(MOST_ELEMENTS)]
        asked = {"file": _SOURCE, "lines": [*lines], "runs": options}
        outcome = run(argv, self.folder, TIMEOUT, stdin=json.dumps(asked))
        if outcome.status == _CRASHED:
            return [([None for _ in lines], []) for _ in runs]
        if outcome.status != 0:
            said = (outcome.err.strip().splitlines() or ["no message"])[-1]
            again = "pip install --force-reinstall libclang"
            raise UserError(f"libclang fails ({said}): reinstall it ({again})")
        answers = zip(runs, json.loads(outcome.out), strict=True)
        return [
            (
                [each and laid_out(each, machine) for each in answer["types"]],
                [
                    self.root / name.removeprefix("tree/")
                    for name in answer["files"]
                    if name.startswith("tree/")
                ],
            )
            for (machine, _), answer in answers
        ]

    def _options(self, machine: Machine, words: Iterable[str]) -> list[str]:
        """The options of the compiler for one machine, in the scratch folder."""
        settings = dict.fromkeys((*words, *machine.settings), "1") | SETTINGS
        beside = f"tree/{os.path.dirname(self.file)}"
        places = (f"arch/{machine.arch}/include", "include")
        argv = ["-target", machine.triple, "-nostdinc", "-std=gnu11"]
        argv += ["-fshort-wchar", "-w", "-ferror-limit=0"]
        # Many names are not declared, and looking for similar ones takes a tenth of the time.
        argv += ["-fno-spell-checking"]
        argv += ["-D__KERNEL__", '-DKBUILD_MODNAME="asked"']
        argv += [f"-DCONFIG_{word}={value}" for word, value in settings.items()]
        argv += [f"-Itree/{place}{more}" for place in places for more in ("", "/uapi")]
        argv += [f"-idirafter{name}" for name in ("own", "generic", "generic-uapi")]
        for name in ("kconfig.h", "compiler_types.h"):
            argv += ["-include", f"tree/include/linux/{name}"]
        return [*argv, "-iquote", beside, "-I", beside]


def _words(headers: Iterable[Path]) -> list[str]:
    """The configuration symbols in the conditions of some headers."""
    words: set[str] = set()
    for header in headers:
        for line in _CONFIG.findall(text_beside(header)):
            words.update(_WORD.findall(line))
    return sorted(words - _OTHERS)


# Symbols that no x86-64 configuration sets.
_OTHERS = {"32BIT", "X86_32", "CPU_BIG_ENDIAN", "CC_IS_GCC", "PPC32"}


def _layout(known: Sequence[LaidOut | None], on: LaidOut | None) -> Layout | None:
    """Combine the layouts on three machines, and on the last with all symbols ``on``."""
    last = known[-1]
    if last is None or on != last:
        return None
    # A machine without the type does not copy it: use the last machine's layout.
    first, middle, _ = (one or last for one in known)
    every = (first, middle, last)
    if not first.kind == middle.kind == last.kind:
        return None
    return Layout(
        last.kind,
        (first.size, middle.size, last.size),
        (first.align, middle.align, last.align),
        _members(*every) if None not in known and _alike(every) else None,
        any(one.padding for one in every),
    )


def _members(
    first: LaidOut, middle: LaidOut, last: LaidOut
) -> tuple[Scalar, ...] | None:
    if first.scalars is None or middle.scalars is None or last.scalars is None:
        return None
    rows = zip(first.scalars, middle.scalars, last.scalars, strict=True)
    return tuple(Scalar(a.path, a.kind, (a.size, b.size, c.size)) for a, b, c in rows)


def _unlike(layout: Layout | None) -> Layout | None:
    """The layout of a type whose scalars differ between machines, as far as it is known."""
    record = layout is not None and layout.kind == RECORD
    return replace(layout, members=None) if layout and record else None


def _is_small(layout: Layout | None) -> bool:
    """Whether user accesses may replace a copy of a type."""
    if layout is None or max(layout.sizes) > SMALL or layout.padding:
        return False
    return layout.kind != RECORD or layout.members is not None


def _alike(every: Iterable[LaidOut | None]) -> bool:
    """Whether all machines with a type have the same scalars in it, all aligned."""
    known = [one for one in every if one is not None]
    shapes = {tuple((s.path, s.kind) for s in one.parts) for one in known}
    sizes = {(one.word, tuple(s.size for s in one.parts)) for one in known}
    words = {one.word for one in known}
    # x86 needs no alignment, so a structure that is only packed there is fine.
    aligned = all(one.aligned for one in known if not one.on_x86)
    return aligned and len(shapes) == 1 and len(sizes) == len(words)
