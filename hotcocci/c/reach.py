# SPDX-License-Identifier: GPL-2.0
"""Find every file that may change how a file is read: what it includes, on any architecture.

These are more files than `hotcocci.c.headers` and clang read, which stop at the first one found. An
answer about the file stays the same as long as none of them changes, and none of those that do not
exist appears.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

from hotcocci.c.include_flags import include_folders, makefiles
from hotcocci.c.machine import OWN
from hotcocci.tree.source import read

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
# clang gets them on its command line; see `hotcocci.c.ask`.
_ALWAYS = tuple(
    f"include/linux/{name}" for name in ("kconfig.h", "compiler_types.h", "types.h")
)
_GENERIC = ("include", "include/uapi")
# What `hotcocci.c.headers` takes asm/ from, whichever architecture includes it.
_READ = ("x86", "powerpc", "arm64")
# A folder that lacks more names is cheaper to list.
_MOST_MISSING = 32

_Arches = tuple[str, ...]
_Flagged = tuple[str, ...]

Names = tuple[frozenset[str], frozenset[str]]
"""Files that exist, and names that do not."""


class Reach:
    """What the files of one tree include; it reads each header once."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._included: dict[tuple[str, str], Names] = {}
        self._tried: dict[tuple[str | None, str, _Arches, _Flagged], Names] = {}
        self._folders: dict[str, bool] = {}

    def of(self, file: str) -> list[str]:
        """The files that a file includes, directly or indirectly, and the names that were not found.

        They are relative to the tree and sorted; the file itself is left out. A missing folder stands
        for all names in it, and a folder with a slash at its end for its list of names.
        """
        own = _arch(file)
        found = {file, *_ALWAYS}
        missing: set[str] = set()
        waiting = [file, *_ALWAYS]
        for path in waiting:
            more, lacking = self._includes(path, own)
            missing |= lacking
            waiting += more - found
            found |= more
        # Some thousand, without a slash at the end.
        folders = {path: path.rpartition("/")[0] for path in missing}
        lacks = Counter(folders.values())
        long = {folder for folder, count in lacks.items() if count > _MOST_MISSING}
        names = {path for path, folder in folders.items() if folder not in long}
        return sorted((found - {file}) | names | {f"{folder}/" for folder in long})

    def _includes(self, path: str, own: str) -> Names:
        """What one file includes if a file of the architecture ``own`` includes it."""
        known = self._included.get((path, own))
        if known is not None:
            return known
        try:
            text = read(f"{self._root}/{path}")
        except OSError:
            text = b""
        folder = os.path.dirname(path)
        arches = _arches(own, _arch(path))
        flagged = include_folders(Path(self._root), folder)
        tried = [
            self._places(
                folder if quote == b'"' else None, os.fsdecode(name), arches, flagged
            )
            for quote, name in set(_INCLUDE.findall(text))
        ]
        tried.append(self._makefiles(folder))
        found: frozenset[str] = frozenset().union(*(names[0] for names in tried))
        missing: frozenset[str] = frozenset().union(*(names[1] for names in tried))
        self._included[path, own] = found, missing
        return found, missing

    def _makefiles(self, folder: str) -> Names:
        """The Makefiles that may name folders to search."""
        read = set(makefiles(folder))
        found = {path for path in read if os.path.isfile(f"{self._root}/{path}")}
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
        everywhere = [
            f"{place}/{each}" for each in names for place in (*_GENERIC, *flagged)
        ]
        found: set[str] = set()
        missing: set[str] = set()
        for arch in arches:
            tried = [] if folder is None else [os.path.join(folder, name)]
            tried += [f"arch/{arch}/{place}/{name}" for place in _GENERIC]
            for path in map(os.path.normpath, (*tried, *everywhere)):
                if os.path.isfile(f"{self._root}/{path}"):
                    found.add(path)
                    break
                missing.add(self._missing(path))
        made = frozenset(found), frozenset(missing)
        self._tried[folder, name, arches, flagged] = made
        return made

    def _missing(self, path: str) -> str:
        """A path that does not exist, or the topmost of its folders that does not."""
        folder = os.path.dirname(path)
        while folder and not self._is_folder(folder):
            path, folder = folder, os.path.dirname(folder)
        return path

    def _is_folder(self, folder: str) -> bool:
        if folder not in self._folders:
            self._folders[folder] = os.path.isdir(f"{self._root}/{folder}")
        return self._folders[folder]


def _arch(file: str) -> str:
    """The architecture that a file belongs to, empty if none."""
    parts = file.split("/")
    return parts[1] if parts[0] == "arch" and len(parts) > 2 else ""


def _arches(own: str, holder: str) -> tuple[str, ...]:
    """The architectures on which a header of one architecture, or of none, may be included.

    ``own`` is that of the file that includes it indirectly.
    """
    if own:
        return tuple(dict.fromkeys((own, *_READ)))
    if holder in _READ:
        return _READ
    return (holder,) if holder else tuple(OWN)
