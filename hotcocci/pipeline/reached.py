# SPDX-License-Identifier: GPL-2.0
"""Tell whether what a file includes has changed since it was looked at.

Only what the file may read counts (hotcocci/c/reach.py), not every header of the tree. The list is
cached with the state that it was made in: as long as that is the same, so is the list.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hotcocci.c import reach
from hotcocci.cache import Cache
from hotcocci.memo import recalled, remembered
from hotcocci.pipeline.fingerprint import content
from hotcocci.records import rebuilt
from hotcocci.tree.select import OUTSIDE, headers_state
from hotcocci.tree.stamps import stamp

# For so many files, one walk over all headers is faster than looking at those of each file.
MANY = 100


class Reached:
    """The state of what files of one tree include, looked up once per run.

    ``place`` is the root of the tree that ``root`` is an overlay of, else the root itself.
    """

    def __init__(self, root: Path, place: Path, cache: Cache) -> None:
        self._root = root
        self.place = place
        self._cache = cache
        self._reach = reach.Reach(root)
        self._states: dict[str, str] = {}
        self._lines: dict[str, bytes] = {}

    def states(self, files: Iterable[str]) -> dict[str, str]:
        """A text for each file that changes with anything that the file includes, or might include."""
        wanted = list(files)
        new = [file for file in dict.fromkeys(wanted) if file not in self._states]
        if len(new) < MANY or self._root != self.place:
            self._states |= {f: state for f, (state, _) in self._found(new).items()}
        else:
            self._states |= self._whole(new)
        return {file: self._states[file] for file in wanted}

    def paths(self, file: str) -> list[str]:
        """The files that a file includes or might include, and names that are missing."""
        return self._found([file])[file][1]

    def own(self, file: str) -> str:
        """The stamp of a file itself."""
        return stamp(f"{self._root}/{file}")

    def _whole(self, files: Sequence[str]) -> dict[str, str]:
        """The states of many files, by the state of all headers as far as that is known."""
        headers = headers_state(self._root).hex()
        keys = {file: self._key("all", file, headers) for file in files}

        def read(_: str, row: Any) -> str:
            return rebuilt(str, self._unchanged(row, "others", "same")["state"])

        known = recalled(self._cache, keys, read)
        fresh: dict[str, object] = {}
        for file, (state, paths) in self._found(
            [file for file in files if file not in known]
        ).items():
            others = [path for path in paths if not self._is_walked(path)]
            same = self._state(others)
            fresh[keys[file]] = {"state": state, "others": others, "same": same}
            known[file] = state
        if fresh:
            self._cache.remember(fresh)
        return known

    def _found(self, files: Sequence[str]) -> dict[str, tuple[str, list[str]]]:
        """The state of what each file includes, and the names in it."""
        keys = {file: self._key("paths", file) for file in files}

        def read(_: str, row: Any) -> tuple[str, list[str]]:
            row = self._unchanged(row, "paths", "state")
            return row["state"], row["paths"]

        def make(new: list[str]) -> Iterator[tuple[str, tuple[str, list[str]]]]:
            for file in new:
                paths = self._reach.of(file)
                yield file, (self._state(paths), paths)

        return remembered(
            self._cache, keys, read, make, lambda a: {"state": a[0], "paths": a[1]}
        )

    def _unchanged(self, row: Any, paths: str, state: str) -> Any:
        """An answer, if what it names has the state that it has. Raises ValueError."""
        if self._state(row[paths]) != row[state]:
            raise ValueError("a file that it names has changed")
        return row

    def _key(self, kind: str, file: str, state: str = "") -> str:
        parts = ["reach", kind, str(self.place), file, self.own(file), state]
        digest = hashlib.sha256(content(Path(reach.__file__)))
        digest.update("\0".join(parts).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _state(self, paths: Iterable[str]) -> str:
        return hashlib.sha256(b"".join(map(self._line, paths))).hexdigest()

    def _line(self, path: str) -> bytes:
        line = self._lines.get(path)
        if line is None:
            text = f"{path}\0{stamp(f'{self._root}/{path}')}\n"
            line = self._lines[path] = text.encode("utf-8", "surrogateescape")
        return line

    def _is_walked(self, path: str) -> bool:
        """Whether the state of all headers of the tree changes with a path, and with what is below."""
        if path.split("/")[0] in OUTSIDE or path.startswith("."):
            return False
        # A folder, which is listed or does not exist, concerns only the headers in it.
        folder = "." not in os.path.basename(path)
        return folder or (
            path.endswith(".h") and not os.path.islink(f"{self._root}/{path}")
        )
