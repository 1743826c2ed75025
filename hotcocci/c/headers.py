# SPDX-License-Identifier: GPL-2.0
"""Find the headers that a file includes, by name and without a configuration, also in folders that a Makefile adds."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from hotcocci.c.conditionals import guards_around
from hotcocci.tree.source import text_beside

_NAMES = ("Kbuild", "Makefile")
_FLAGS = re.compile(r"^(subdir-)?ccflags-y[ \t]*[:+]?=((?:.*\\\n)*.*)", re.MULTILINE)
# $(srctree)/$(src) until 6.10
_FOLDER = re.compile(
    r"-I[ \t]*(?:\$\(srctree\)/(?=\$\(src\)))?\$\((src|srctree)\)([\w./-]*)"
)
# Patterns that begin with a literal are searched for at several times the speed.
_INCLUDE = re.compile(r'\n[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]')
_RECORDS = (re.compile(r"struct\s+(\w+)\s*\{"), re.compile(r"union\s+(\w+)\s*\{"))
# At the start of a line, unlike the text of a comment.
_ALIAS = re.compile(r"\n[ \t]*typedef\s+([^;{}()\[\]]*[\s*])(\w+)\s*;")
_CLOSING = re.compile(r"\}([^;{}=,]{1,120});")
_PARENTHESES = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_DEFINE = re.compile(r"\n[ \t]*#[ \t]*define[ \t]+(\w+)")
_JUMPS = re.compile(
    r"\n[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)\n]*\))?[ \t]+(return|goto|break|continue)\b"
)
_MOST_HEADERS = 1200
_ARCHES = ("x86", "powerpc", "arm64")


@lru_cache(maxsize=4096)
def include_folders(root: Path, folder: str) -> tuple[str, ...]:
    """The folders that the Makefiles of a folder and, for all below them, of its parents name.

    Like ``folder``, they are relative to the tree.
    """
    found: list[str] = []
    for place in _upwards(folder):
        for subdir, flags in _FLAGS.findall(_makefile(root, place)):
            if subdir or place == folder:
                bases = {"src": place, "srctree": "."}
                found += [f"{bases[b]}{rest}" for b, rest in _FOLDER.findall(flags)]
    return tuple(dict.fromkeys(map(os.path.normpath, found)))


def makefiles(folder: str) -> Iterator[str]:
    """The files that `include_folders` and `hotcocci.tree.kconfig` read if they exist."""
    for place in _upwards(folder):
        yield from (f"{place}/{name}" for name in (*_NAMES, "Kconfig"))


def arch_of(file: str) -> str:
    """The architecture that a file belongs to; empty for generic code."""
    parts = file.split("/")
    return parts[1] if parts[0] == "arch" and len(parts) > 2 else ""


def _upwards(folder: str) -> Iterator[str]:
    """A folder and its parents in the tree; none outside, and none for headers that all of it shares."""
    if not os.path.isabs(folder) and "include" not in folder.split("/"):
        while folder:
            yield folder
            folder = os.path.dirname(folder)


@lru_cache(maxsize=4096)
def _makefile(root: Path, folder: str) -> str:
    files = (root / folder / name for name in _NAMES)
    file = next((each for each in files if each.is_file()), None)
    return text_beside(file) if file else ""


@dataclass(frozen=True)
class Header:
    """The includes and definitions of one file; numbers are offsets into its text."""

    path: Path
    text: str
    includes: tuple[tuple[str, str], ...]
    records: dict[str, int]
    aliases: dict[str, str]
    closings: dict[str, int]

    @cached_property
    def defines(self) -> frozenset[str]:
        """The names of the macros that it defines, under any condition."""
        return frozenset(_DEFINE.findall(f"\n{self.text}"))

    @cached_property
    def jumps(self) -> dict[str, str]:
        """The macros that it defines for a jump, as return_ptr() in include/linux/cleanup.h, with its first word."""
        return dict(_JUMPS.findall(f"\n{self.text}"))

    @cached_property
    def folder(self) -> str:
        """The folder that it is in: a string, as two paths take long to be compared."""
        return str(self.path.parent)

    @cached_property
    def is_interface(self) -> bool:
        """Whether it may define a part of the user interface: a uapi header, or one of ioctl commands."""
        return "uapi" in self.path.parts or "_IO" in self.text


@lru_cache(maxsize=16384)
def header(path: Path) -> Header | None:
    """The includes and definitions of a file; None if it does not exist."""
    # Most files of an overlay are links to those of the tree.
    original = _folder(path.parent) / path.name
    if original.is_symlink():
        original = original.resolve()
    found = _header(original)
    return found if found is None or original == path else replace(found, path=path)


@lru_cache(maxsize=4096)
def _folder(path: Path) -> Path:
    return path.resolve()


@lru_cache(maxsize=16384)
def _header(path: Path) -> Header | None:
    if not path.is_file():
        return None
    text = text_beside(path)
    aliases: dict[str, str] = {}
    lines = f"\n{text}"
    for m in _ALIAS.finditer(lines):
        aliases[m[2]] = " ".join(m[1].split())
    records: dict[str, int] = {}
    found = [m for pattern in _RECORDS for m in pattern.finditer(text)]
    for m in sorted(found, key=re.Match.start):
        records[m[1]] = m.end() - 1
    return Header(
        path, text, tuple(_INCLUDE.findall(lines)), records, aliases, _closings(text)
    )


def _closings(text: str) -> dict[str, int]:
    """The names after closing braces, without attributes: ``} __packed name_t;``."""
    found = {}
    for match in _CLOSING.finditer(text):
        words = _PARENTHESES.sub("", match.group(1)).split()
        names = [w for w in words if w.isidentifier() and not w.startswith("__")]
        if names:
            found[names[-1]] = match.start()
    return found


@lru_cache(maxsize=65536)
def _resolve(root: str, folder: str, quoted: bool, name: str, own: str) -> str | None:
    """The file that an #include refers to; asm/ means ``own``, else one of `_ARCHES`.

    Strings, as these are looked for by the million, and two equal paths take long to be compared.
    """
    places = [folder] if quoted else []
    places += [f"{root}/include", f"{root}/include/uapi"]
    if folder.startswith(f"{root}/"):
        own_flags = include_folders(Path(root), folder[len(root) + 1 :])
        places += [f"{root}/{each}" for each in own_flags]
    names = [name]
    if name.startswith(("asm/", "uapi/asm/")):
        for arch in dict.fromkeys((own, *_ARCHES)) if own else _ARCHES:
            places += [
                f"{root}/arch/{arch}/include",
                f"{root}/arch/{arch}/include/uapi",
            ]
        names.append(name.replace("asm/", "asm-generic/", 1))
    for each in names:
        for place in places:
            if os.path.isfile(file := f"{place}/{each}"):
                return file
    return None


@lru_cache(maxsize=16384)
def _header_of(file: str) -> Header | None:
    return header(Path(file))


@lru_cache(maxsize=4096)
def includer(path: Path) -> Path | None:
    """The .c file next to a file that includes it; None if there is none."""
    include = f'#include "{path.name}"'
    beside = sorted(path.parent.glob("*.c"))
    return next((each for each in beside if include in text_beside(each)), None)


def guards_of_include(path: Path) -> tuple[str, ...]:
    """The conditions of #if lines under which a .c file next to a file includes it."""
    by = includer(path)
    text = text_beside(by) if by else ""
    place = text.find(f'#include "{path.name}"')
    return guards_around(text, place) if path.suffix == ".c" and place >= 0 else ()


class _Reach:
    """An iterable of headers that are found on demand: most types are in the first ones."""

    def __init__(self, headers: Iterator[Header]) -> None:
        self._found: list[Header] = []
        self._rest: Iterator[Header] | None = headers

    def __iter__(self) -> Iterator[Header]:
        # Hundreds of headers are gone through for thousands of names: a list takes a tenth of the time.
        return iter(self._found) if self._rest is None else self._more(self._rest)

    def _more(self, rest: Iterator[Header]) -> Iterator[Header]:
        index = 0
        while True:
            if index == len(self._found):
                following = next(rest, None)
                if following is None:
                    self._rest = None
                    return
                self._found.append(following)
            yield self._found[index]
            index += 1


@lru_cache(maxsize=16)
def reachable(root: Path, file: str) -> Iterable[Header]:
    """A file and the headers that it includes directly or indirectly, nearest first."""
    return _Reach(_walk(root, file))


def _walk(root: Path, file: str) -> Iterator[Header]:
    own, place = arch_of(file), str(root)
    files = [f"{place}/{file}"]
    seen = set(files)
    number = 0
    for each in files:
        found_header = _header_of(each)
        if found_header is None:
            continue
        yield found_header
        number += 1
        for found in _included(place, each, own) if number < _MOST_HEADERS else ():
            if found not in seen:
                seen.add(found)
                files.append(found)


@lru_cache(maxsize=16384)
def _included(root: str, file: str, own: str) -> tuple[str, ...]:
    """The files that a header includes, seen from a file of the architecture ``own``."""
    known = _header_of(file)
    if known is None:
        return ()
    resolved = (
        _resolve(root, known.folder, quote == '"', name, own)
        for quote, name in known.includes
    )
    return tuple(each for each in resolved if each is not None)
