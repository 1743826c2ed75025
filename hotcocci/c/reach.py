# SPDX-License-Identifier: GPL-2.0
"""Find every file that may change how a file is read: what it includes, on any architecture.

These are more files than `hotcocci.c.headers` and clang read, which stop at the first one found. An answer about
the file stays the same as long as none of them changes, and none of those that do not exist appears.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import compress
from operator import or_
from pathlib import Path

from hotcocci.c.machines import OWN
from hotcocci.c.headers import arch_of, include_folders, makefiles
from hotcocci.tree.source import read

# Beginning with a literal, it is searched for at several times the speed.
_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]')
# clang gets them on its command line; see `hotcocci.c.ask`.
_ALWAYS = tuple(
    f"include/linux/{name}" for name in ("kconfig.h", "compiler_types.h", "types.h")
)
_GENERIC = ("include", "include/uapi")
# What `hotcocci.c.headers` takes asm/ from, whichever architecture includes it.
_READ = ("x86", "powerpc", "arm64")
# A folder that lacks more names is cheaper to list.
_MOST_MISSING = 32

# A file, and the architecture of the one that includes it indirectly
_Node = tuple[str, str]
_DIGITS = bytes.maketrans(b"01", b"\0\1")
_Arches = tuple[str, ...]
_Flagged = tuple[str, ...]

Names = tuple[frozenset[str], frozenset[str]]
"""Files that exist, and names that do not."""

Directives = Sequence[tuple[bool, str]]
"""The #includes of a file: whether with quotation marks, and the name."""


def directives(data: bytes) -> Directives:
    """The #includes in the contents of a file."""
    found = dict.fromkeys(
        each.groups()
        for each in _INCLUDE.finditer(data)
        if not data[data.rfind(b"\n", 0, each.start()) + 1 : each.start()].strip()
    )
    return [(quote == b'"', os.fsdecode(name)) for quote, name in found]


class Reach:
    """The files that those of one tree include; each header is read once.

    ``directives`` are those of a file by its name in the tree.
    """

    def __init__(
        self, root: Path, directives: Callable[[str], Directives] | None = None
    ) -> None:
        self._root = str(root)
        # One object, whose hash is computed once.
        self._place = root
        # A header is asked for by each architecture.
        self._directives = lru_cache(maxsize=None)(directives or self._read)
        self._included: dict[tuple[str, str], Names] = {}
        self._tried: dict[tuple[str | None, str, _Arches, _Flagged], Names] = {}
        # The topmost folder that does not exist of each that was looked for.
        self._gone: dict[str, str] = {}
        # The names of the files in each folder that was looked into.
        self._listed: dict[str, frozenset[str]] = {}

    def of(self, file: str) -> tuple[list[str], list[str]]:
        """The files that a file includes, directly or indirectly, and the names that were not found.

        They are relative to the tree and sorted; the file itself is left out. A missing folder stands
        for all names in it, and a folder with a slash at its end for its list of names.
        """
        own = arch_of(file)
        found = {file, *_ALWAYS}
        missing: set[str] = set()
        waiting = [file, *_ALWAYS]
        for path in waiting:
            more, lacking = self._includes(path, own)
            missing |= lacking
            waiting += more - found
            found |= more
        return sorted(found - {file}), _named(missing)

    def of_many(self, files: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
        """Each file with those that it includes as in `of`; all share what they include."""
        tops = [(file, arch_of(file)) for file in files]
        always = {own: [(path, own) for path in _ALWAYS] for _, own in tops}
        below: dict[_Node, list[_Node]] = {}
        waiting = dict.fromkeys(
            (*tops, *(one for some in always.values() for one in some))
        )
        while waiting:
            path, own = node = waiting.popitem()[0]
            below[node] = [(each, own) for each in self._includes(path, own)[0]]
            waiting |= dict.fromkeys(each for each in below[node] if each not in below)
        # Sets of some thousand names are numbers with a bit for each.
        names = sorted({path for path, _ in below})
        bits = {name: 1 << number for number, name in enumerate(names)}
        masks = _closed({node: bits[node[0]] for node in below}, below)
        for file, own in tops:
            mask = reduce(or_, (masks[one] for one in always[own]), masks[file, own])
            # A byte for each bit, the lowest first.
            has = f"{mask & ~bits[file]:0{len(names)}b}"[::-1].encode()
            yield file, [*compress(names, has.translate(_DIGITS))]

    def names(self) -> tuple[list[str], list[str]]:
        """All names that have been found so far, and those that have not, as in `of`."""
        every = self._included.values()
        found = set().union(*(names for names, _ in every))
        return sorted(found), _named(set().union(*(names for _, names in every)))

    def forget(self) -> None:
        """Give back the memory of what has been found so far; it is found again if it is asked for."""
        self._included.clear()
        self._tried.clear()
        self._directives.cache_clear()

    def _read(self, path: str) -> Directives:
        try:
            return directives(read(f"{self._root}/{path}"))
        except OSError:
            return ()

    def _includes(self, path: str, own: str) -> Names:
        """The files that one file includes if a file of the architecture ``own`` includes it."""
        known = self._included.get((path, own))
        if known is not None:
            return known
        folder = os.path.dirname(path)
        arches = _arches(own, arch_of(path))
        flagged = include_folders(self._place, folder)
        tried = [
            self._places(folder if quoted else None, name, arches, flagged)
            for quoted, name in self._directives(path)
        ]
        tried.append(self._makefiles(folder))
        found: frozenset[str] = frozenset().union(*(names[0] for names in tried))
        missing: frozenset[str] = frozenset().union(*(names[1] for names in tried))
        self._included[path, own] = found, missing
        return found, missing

    def _makefiles(self, folder: str) -> Names:
        """The Makefiles that may name folders to search."""
        read = set(makefiles(folder))
        found = set(filter(self._is_file, read))
        return frozenset(found), frozenset(read - found)

    def _places(
        self,
        folder: str | None,
        name: str,
        arches: tuple[str, ...],
        flagged: tuple[str, ...],
    ) -> Names:
        """The files that an #include means on some architecture, and what was tried before.

        ``flagged`` are the folders that a Makefile adds.
        """
        known = self._tried.get((folder, name, arches, flagged))
        if known is not None:
            return known
        names = [name]
        if name.startswith(("asm/", "uapi/asm/")):
            names.append(name.replace("asm/", "asm-generic/", 1))
        found: set[str] = set()
        missing: set[str] = set()

        # Most names need no normalizing, which takes as long as the rest.
        plain = ".." not in name and os.path.normpath(f"./{name}") == name

        def first(paths: Iterable[str]) -> bool:
            for path in paths if plain else map(os.path.normpath, paths):
                if self._is_file(path):
                    found.add(path)
                    return True
                missing.add(self._missing(path))
            return False

        if folder is None or not first([os.path.normpath(os.path.join(folder, name))]):
            own = [
                first(f"arch/{arch}/{place}/{name}" for place in _GENERIC)
                for arch in arches
            ]
            if not all(own):
                places = (*_GENERIC, *flagged)
                every = (f"{place}/{each}" for each in names for place in places)
                first(map(os.path.normpath, every))
        made = frozenset(found), frozenset(missing)
        self._tried[folder, name, arches, flagged] = made
        return made

    def _missing(self, path: str) -> str:
        """A path that does not exist, or the topmost of its folders that does not."""
        folder = path.rpartition("/")[0]
        if folder not in self._gone:
            there = not folder or os.path.isdir(f"{self._root}/{folder}")
            self._gone[folder] = "" if there else self._missing(folder)
        return self._gone[folder] or path

    def _is_file(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        names = self._listed.get(folder)
        if names is None:
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    names = frozenset(each.name for each in entries if each.is_file())
            except OSError:
                names = frozenset()
            self._listed[folder] = names
        return name in names


def _closed(
    masks: Mapping[_Node, int], below: Mapping[_Node, Sequence[_Node]]
) -> dict[_Node, int]:
    """The sets of the nodes, each with those of the nodes below it, also indirectly.

    Nodes in a circle have one set (Gabow, "Path-based depth-first search", 2000).
    """
    closed: dict[_Node, int] = {}
    begun: dict[_Node, int] = {}
    path: list[_Node] = []
    # The first node of each circle, as far as it is known.
    firsts: list[_Node] = []
    stack = [*below]
    while stack:
        node = stack[-1]
        if node not in begun:
            begun[node] = len(begun)
            path.append(node)
            firsts.append(node)
            stack += [each for each in below[node] if each not in begun]
            continue
        stack.pop()
        if node in closed:
            continue
        for each in below[node]:
            while each not in closed and begun[firsts[-1]] > begun[each]:
                firsts.pop()
        if firsts[-1] == node:
            firsts.pop()
            circle = [path.pop()]
            while circle[-1] != node:
                circle.append(path.pop())
            every = {*circle, *(each for one in circle for each in below[one])}
            known = (closed.get(each, masks[each]) for each in every)
            closed |= dict.fromkeys(circle, reduce(or_, known))
    return closed


def _named(missing: set[str]) -> list[str]:
    """The names, with folders for those of which many are missing."""
    # Some thousand, without a slash at the end.
    folders = {path: path.rpartition("/")[0] for path in missing}
    lacks = Counter(folders.values())
    long = {folder for folder, count in lacks.items() if count > _MOST_MISSING}
    names = {path for path, folder in folders.items() if folder not in long}
    return sorted(names | {f"{folder}/" for folder in long})


def _arches(own: str, holder: str) -> tuple[str, ...]:
    """The architectures on which a header of one architecture, or of none, may be included.

    ``own`` is that of the file that includes it indirectly.
    """
    if own:
        return tuple(dict.fromkeys((own, *_READ)))
    if holder in _READ:
        return _READ
    return (holder,) if holder else tuple(OWN)
