# SPDX-License-Identifier: GPL-2.0
"""A run on one tree: what its steps share, and whether what a file includes has changed since it was looked at.

Only what the file may read counts (hotcocci/c/reach.py), not every header of the tree. The list is
cached with the state that it was made in: as long as that is the same, so is the list. States are those
of contents, or of code without comments; files whose stamps have not changed since are not read again.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from hotcocci.c import reach
from hotcocci.cache import Cache, known_answer, remembered
from hotcocci.pipeline.fingerprint import content as code_state
from hotcocci.pipeline.fingerprint import key
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.tree import source
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import code, content, read, stamp

State = TypeVar("State")

# For so many files, one walk over all headers is faster than looking at those of each file.
MANY = 100

MOST = 100_000
"""So many headers are remembered by their contents until those of other trees are forgotten."""


class Reached:
    """The state of what files of one tree include, looked up once per run.

    ``place`` is the root of the tree that ``root`` is an overlay of, else the root itself. ``of`` is the
    state of a file: `code`, or `content` for answers that have lines of it.
    """

    def __init__(
        self, root: Path, place: Path, cache: Cache, of: Callable[[str], str] = code
    ) -> None:
        self._of = of
        self._root = root
        self.place = place
        self._cache = cache
        self._reach = reach.Reach(root, self._directives)
        # By the hash of a file's contents.
        self._including: dict[str, reach.Directives] = {}
        # What is remembered of headers, once it has been looked up.
        self._rows: dict[str, Any] | None = None
        self._states: dict[str, str] = {}
        self._lines: dict[Callable[[str], str], dict[str, bytes]] = {
            stamp: {},
            content: {},
            of: {},
        }
        self._others: dict[tuple[str, ...], str] = {}

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
        """The state of a file itself."""
        return content(f"{self._root}/{file}")

    def among(
        self, others: Callable[[Path, str], Iterable[tuple[str, ...]]] | None, file: str
    ) -> str:
        """A text that changes with the other files that a rule's decisions on a file depend on."""
        return " ".join(map(self.others, others(self._root, file))) if others else ""

    def others(self, paths: tuple[str, ...]) -> str:
        """A text that changes with any of these files, which are relative to the tree or absolute."""
        found = self._others.get(paths)
        if found is None:
            seen = self._key("others", str(self.place), self._state(paths, stamp))
            found = known_answer(self._cache, seen, partial(rebuilt, str))
            if found is None:
                # A copy of a tree, or its links, have other stamps.
                same = self._key("others", self._state(paths, content))
                found = known_answer(self._cache, same, partial(rebuilt, str))
                found = found or self._state(paths, self._of)
                self._cache.remember({seen: found, same: found})
            self._others[paths] = found
        return found

    def _whole(self, files: Sequence[str]) -> dict[str, str]:
        """The states of many files, in one answer for the tree, or for the last one that included the same."""
        key, last = (self._key("all", place) for place in (str(self.place), "any"))
        names = {file: f"{self.own(file)} {file}" for file in files}
        kept = self._remembered(dict[str, str], {key: key}, lambda _: ())
        kept |= (
            {} if kept else self._remembered(dict[str, str], {key: last}, lambda _: ())
        )
        known, paths = kept.get(key, ({}, []))
        new = [file for file in files if names[file] not in known]
        if new:
            several = self._of_many(new)
            stale = frozenset(new)
            known = {
                n: s for n, s in known.items() if n[n.index(" ") + 1 :] not in stale
            }
            known |= {names[file]: state for file, state in several.items()}
            found, missing = self._reach.names()
            row = self._row(known, sorted({*found, *missing, *paths}))
            self._cache.remember({key: row, last: row})
            # Processes that are started next would have it, too: 15 MB for a whole tree.
            self._reach.forget()
        return {file: known[names[file]] for file in files}

    def _of_many(self, files: Sequence[str]) -> dict[str, str]:
        """The states of files, by what is known of headers with these contents in any tree."""
        rows = self._known_rows()
        known = len(self._including)
        states = {
            file: self._state(paths, self._of)
            for file, paths in self._reach.of_many(files)
        }
        if self._of is code and len(self._including) > known:
            seen = {
                self.own(path): (code(f"{self._root}/{path}"), self._directives(path))
                for path in self._reach.names()[0]
            }
            self._rows = seen if len(rows) > MOST else rows | seen
            self._cache.remember({self._rows_key(): self._rows})
        return states

    def _known_rows(self) -> dict[str, Any]:
        """The remembered rows of headers."""
        if self._rows is None:
            self._rows = known_answer(self._cache, self._rows_key(), dict) or {}
            try:
                self._including |= {one: of for one, (_, of) in self._rows.items()}
                bare = {one: rebuilt(str, row[0]) for one, row in self._rows.items()}
            except (TypeError, ValueError):
                self._rows = bare = {}
            source.know_codes(bare)
        return self._rows

    def _rows_key(self) -> str:
        # They are taken as they are, so by whom they were written counts.
        makers = (code_state(Path(str(m))).hex() for m in (source.__file__, __file__))
        return self._key("headers", *makers)

    def _directives(self, path: str) -> reach.Directives:
        found = self.own(path)
        if found not in self._including:
            try:
                data = read(f"{self._root}/{path}")
            except OSError:
                return ()
            self._including[found] = reach.directives(data)
            if self._of is code:
                # It is asked for next, and would be read again.
                source.know_codes({found: source.code_of(data)})
        return self._including[found]

    def _found(self, files: Sequence[str]) -> dict[str, tuple[str, list[str]]]:
        """The state of what each file includes, and the names in it."""
        # An edit that includes nothing else leaves it as it is.
        keys = {
            file: self._key(
                "paths", str(self.place), file, repr(self._directives(file))
            )
            for file in files
        }

        def make(new: list[str]) -> Iterator[tuple[str, tuple[str, list[str]]]]:
            if new:
                self._known_rows()
            for file in new:
                found, missing = self._reach.of(file)
                yield file, (self._state(found, self._of), [*found, *missing])

        return self._remembered(str, keys, make)

    def _remembered(
        self,
        kind: type[State],
        keys: Mapping[str, str],
        make: Callable[[list[str]], Iterable[tuple[str, tuple[State, list[str]]]]],
    ) -> dict[str, tuple[State, list[str]]]:
        """The state of each item, and the names that it is known by as long as these do not change."""
        moved: dict[str, tuple[State, list[str]]] = {}

        def take(item: str, row: Any) -> tuple[State, list[str]]:
            state, paths = rebuilt(kind, row["state"]), row["paths"]
            if self._state(paths, stamp) != row["stamps"]:
                self._known_rows()
                if self._state(paths, self._of) != row["contents"]:
                    raise ValueError(f"what {item} includes has changed")
                moved[item] = state, paths
            return state, paths

        found = remembered(self._cache, keys, take, make, lambda one: self._row(*one))
        if moved:
            self._cache.remember({keys[f]: self._row(*one) for f, one in moved.items()})
        return found

    def _row(self, state: object, paths: list[str]) -> dict[str, object]:
        return {
            "state": state,
            "paths": paths,
            "stamps": self._state(paths, stamp),
            "contents": self._state(paths, self._of),
        }

    def _state(self, paths: Iterable[str], of: Callable[[str], str]) -> str:
        lines = self._lines[of]
        for path in paths:
            if path not in lines:
                text = f"{path}\0{of(os.path.join(self._root, path))}\n"
                lines[path] = text.encode("utf-8", "surrogateescape")
        return hashlib.sha256(b"".join(map(lines.__getitem__, paths))).hexdigest()

    def _key(self, *parts: str) -> str:
        return key(code_state(Path(reach.__file__)), "reach", self._of.__name__, *parts)


@dataclass(frozen=True)
class Run:
    """A tree, the settings and the open cache.

    ``around`` is the whole tree if ``tree`` is an overlay of it, else the tree itself. ``reached`` knows
    what the files include.
    """

    tree: Tree
    around: Tree
    settings: Settings
    cache: Cache
    reached: Reached


@contextmanager
def running(
    tree: Tree,
    settings: Settings,
    around: Tree | None = None,
    headers: Tree | None = None,
) -> Iterator[Run]:
    """Open the cache for a run; ``headers`` is the tree that has the headers, if not ``tree`` itself.

    Raises UserError if the cache cannot be used.
    """
    around = around or tree
    with settings.open_cache() as cache:
        reached = Reached((headers or tree).root, around.root, cache)
        yield Run(tree, around, settings, cache, reached)
