# SPDX-License-Identifier: GPL-2.0
"""The heat of a tree's functions, remembered by the contents of its files, and that of a finding's line."""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

from hotcocci.c.conditionals import guards_around
from hotcocci.c.source import OUTSIDE_CODE, Source
from hotcocci.cache import Cache, known_answer, recalled, remembered
from hotcocci.errors import TryAgain, leave_unanswered
from hotcocci.findings import Finding
from hotcocci.heat import entries, graph
from hotcocci.heat.entries import COMMANDS, GUARDED, IOCTL, OF_CALL, OF_COMPAT
from hotcocci.heat.graph import Heat, derive, rarely
from hotcocci.heat.index import (
    IN_CASE,
    MOST_IFS,
    PER_LEVEL,
    index,
    load,
    parsed,
    spelled,
    version,
)
from hotcocci.pool import Failure, apart, spread
from hotcocci.tree.select import hashes
from hotcocci.tree.source import content, hashed, read, read_listed

# Who runs it makes no difference; in a loop, a gain is that of a round.
_OF = re.compile(
    r"^(?!in a loop).*?\bper (?:32-bit )?(.*?)(?: of an? [\w-]+ program)*$"
)


def work(per: str | None) -> float:
    """The cycles that an operation takes at least, by what a line runs once for; 0 if that is not known."""
    found = _OF.match(per or "")
    return float(entries.DATA["work"].get(found[1], 0)) if found else 0.0


# What a finding is about, and the name it gets to be found again.
_ACCESS = re.compile(r"\b(?=\w*?(?:_user|access))\w++(?=\s*\()")
_MARK = "marked_user"
# A condition under which a function does something else, and is done. One that only returns is of calls
# with nothing to do, which are few.
_OTHER_WAY = re.compile(
    r"\n(\t+)if \(.*\{(?:\n\1[\t ].*)+?\n\1\treturn(?: 0)?;(?!\n\1\} else)"
)

# What may be a command: the label of a case, or what something is compared with.
_LABEL = re.compile(r"==\s*(\w+)|\b(\w++)\s*(?::|\.\.\.)")


def at_line(
    heat: Heat | None, text: str, line: int, is_loop: bool = False
) -> Heat | None:
    """The heat of a user access on a line of a file, given that of its function.

    Conditions and cases around it make it rarer, and other ways through the function before it; the command
    of an ioctl whose case it is in decides alone. Loops do not count, but are named unless the finding ``is_loop``: what one saves is estimated
    for all its rounds.
    """
    starts = Source("", text).line_starts
    begin = starts[line - 1]
    stop = starts[line] if line < len(starts) else len(text)
    start, end = text.rfind("\n{", 0, begin), text.find("\n}", stop - 1)
    marked = _ACCESS.sub(_MARK, text[begin:stop], count=1)
    if min(start, end) < 0 or _MARK not in marked:
        return heat
    above = OUTSIDE_CODE.sub("", text[start + 2 : begin])
    body = above + OUTSIDE_CODE.sub("", marked + text[stop:end])
    if heat is None and not _has_command(body):
        # The reader, which may have to be compiled first, would find nothing.
        return None
    said = index(f"void f(void)\n{{{body}\n}}".encode("ascii", "replace"))
    calls = said.calls.split()
    if said.fatal or _MARK not in calls:
        return heat
    code = bytes.fromhex(said.codes)[calls.index(_MARK)]
    level, loops = divmod(code % IN_CASE, PER_LEVEL)
    ways = len(_OTHER_WAY.findall(above))
    factor = 2 ** -(level / 2 + min(ways, MOST_IFS))
    words = dict(each.split(".")[:2] for each in said.commands.split())
    entry = COMMANDS.get(words.get(_MARK, ""))
    if entry is not None and (heat is None or heat.value < entry.rate):
        heat = Heat(entry.rate * factor, f"per {entry.per}")
    elif heat is not None and factor < 1:
        heat = Heat(heat.value * factor, rarely(heat.per, factor))
    if heat is None or loops <= is_loop or not heat.per.startswith("per "):
        return heat
    return Heat(heat.value, f"in a loop {heat.per}")


def _has_command(body: str) -> bool:
    labels = " ".join(map("".join, _LABEL.findall(body)))
    return any(word in labels for word in COMMANDS)


HOT = 0.2
"""The least heat of code that runs often enough for its readers to accept longer code."""

UNKNOWN = IOCTL / 2
"""What code may have until the heat of its tree is derived."""

WORTH_A_PROCESS = 20

Progress = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]


@dataclass(frozen=True)
class Heats:
    """The heat of functions, by file and name; a function that nothing is known to lead to has none.

    Only of files that were ``read`` as they are now does that say anything: what is new may well be called.
    """

    known: Mapping[str, Mapping[str, Heat]] = field(default_factory=dict)
    read: frozenset[str] = frozenset()

    def of(self, file: str, function: str | None) -> Heat | None:
        """The heat of a function, None if nothing is known to call it."""
        return self.known.get(file, {}).get(function or "")

    def on(self, finding: Finding, text: str, is_loop: bool = False) -> Finding:
        """A finding, which may be a whole loop, with the heat of its place, given the text of its file."""
        at = Source(finding.file, text).line_starts[finding.line - 1]
        guards = guards_around(text, at)
        known = self.of(finding.file, finding.function)
        head = text[text.rfind("\n}", 0, at) + 1 : at]
        if "CONFIG_COMPAT" in guards:
            known = self.of(finding.file, f"{OF_COMPAT}{finding.function}") or known
        elif re.search(rf"SYSCALL\w*_DEFINE\d\(\s*{finding.function}\b", head):
            # Another function of its name may be called more often: sigprocmask()
            known = self.of(finding.file, f"{OF_CALL}{finding.function}") or known
        heat = at_line(known, text, finding.line, is_loop)
        if heat is None:
            return replace(finding, heat=0.0) if finding.file in self.read else finding
        for guard in guards:
            seldom = GUARDED.get(guard)
            if seldom is not None:
                heat = Heat(heat.value * seldom.rate, f"{heat.per} {seldom.per}")
        return replace(finding, heat=heat.value, per=heat.per)

    def hot(self) -> dict[str, frozenset[str]]:
        """The hot functions of each file that has some; a system call and another function of its name are one."""
        found: dict[str, set[str]] = defaultdict(set)
        for file, names in self.known.items():
            for name in (name for name, heat in names.items() if heat.value >= HOT):
                found[file].add(name.removeprefix(OF_COMPAT).removeprefix(OF_CALL))
        return {file: frozenset(names) for file, names in found.items()}


def heats(
    root: Path, files: Sequence[str], cache: Cache, jobs: int, progress: Progress
) -> Heats:
    """The heat of the functions of these files, from the whole tree as it is now."""
    contents = hashes(root, cache)
    seen: dict[str, dict[str, str]] = {}
    for file in sorted(contents):
        seen.setdefault(os.path.dirname(file), {})[file] = contents[file]
    keys = {
        folder: _key("index", _INDEX, *map(" ".join, inside.items()))
        for folder, inside in seen.items()
    }
    made: dict[str, list[tuple[str, str]]] = {}
    said = _indexed(root, seen, keys, cache, jobs, progress, made)
    # What an edit says, not how, may change the heat.
    state = _key("heat", _HEAT, *said.values())
    rows = known_answer(cache, state, dict)
    if rows is None:
        with progress("deriving how often each function runs"):
            rows = _derive(root, seen, said, cache, made)
        if said.keys() != keys.keys():
            return _read(rows, files, cache)
        cache.remember({state: rows})
    cache.remember(dict.fromkeys(_latest(root), rows))
    return replace(_read(rows, files, cache), read=frozenset(files))


def latest(root: Path, files: Sequence[str], cache: Cache) -> Heats | None:
    """The last answer of `heats` for this version of a tree, or of one elsewhere; None if there is none.

    Changes of other files since then are not seen.
    """
    for key in _latest(root):
        rows = known_answer(cache, key, dict)
        if rows is not None:
            known = _read(rows, files, cache)
            return replace(known, read=_unchanged(root, files, cache))
    return None


def with_changed(known: Heats, root: Path, files: Sequence[str]) -> Heats:
    """The known heats, and those of functions that are new in these files of a tree.

    It follows from the entry points in the files of a folder, and from the functions that are known. Of a
    function that neither leads to, nothing is known: the rest of the tree may call it.
    """
    found: dict[str, Mapping[str, Heat]] = dict(known.known)
    # Not of all together: what one calls through a pointer is hardly in the few others that have changed.
    for _, inside in groupby(sorted(files, key=os.path.dirname), os.path.dirname):
        indexes = {file: spelled(read(root / file)) for file in inside}
        found.update(derive(indexes, known.known))
    return Heats(found, known.read - {*files})


def _unchanged(root: Path, files: Iterable[str], cache: Cache) -> frozenset[str]:
    """The files whose contents are those that folders of their names had when they were last read."""
    keys = {folder: _last(folder) for folder in map(os.path.dirname, files)}
    last = recalled(cache, keys, lambda _, row: dict(row[1]))
    found = set()
    for file in files:
        before = last.get(os.path.dirname(file), {}).get(file)
        try:
            if before is not None and before == hashed(read(root / file)):
                found.add(file)
        except OSError:
            continue
    return frozenset(found)


def _latest(root: Path) -> list[str]:
    """The keys of what was last found for this version: in this tree, and in any, as `series` has its own checkout."""
    version = content(f"{root}/Makefile")
    return [_key("latest heat", _HEAT, place, version) for place in (str(root), "")]


def _indexed(
    root: Path,
    seen: Mapping[str, Mapping[str, str]],
    keys: Mapping[str, str],
    cache: Cache,
    jobs: int,
    progress: Progress,
    made: dict[str, list[tuple[str, str]]],
) -> dict[str, str]:
    """The key of what the files of each folder say, which is in the cache; without folders that cannot be read.

    ``seen`` are the hashes of the files of each folder. What was not known is added to ``made``.
    """

    def make(folders: list[str]) -> Iterator[tuple[str, str]]:
        if not folders:
            return
        before = _before({folder: seen[folder] for folder in folders}, cache)
        todo = [
            [file for file in seen[folder] if file not in before.get(folder, ())]
            for folder in folders
        ]
        load()
        with progress("reading who calls whom") as show:
            done = spread(partial(_index, root), todo, jobs, WORTH_A_PROCESS, show)
            for folder, (_, new) in zip(folders, done, strict=True):
                if isinstance(new, Failure) or new is None:
                    # What cannot be read now says nothing about the tree.
                    leave_unanswered()
                else:
                    old = before.get(folder, {}).items()
                    rows = made[folder] = sorted(
                        [*new, *((file, one) for file, one in old if one)]
                    )
                    said = _key("calls", *(part for row in rows for part in row))
                    # By its name, too: another version of it has files with the same contents.
                    last: list[object] = [said, dict(seen[folder])]
                    cache.remember({said: rows, _last(folder): last})
                    yield folder, said

    found = remembered(cache, keys, lambda _, said: str(said), make, str)
    return {folder: found[folder] for folder in keys if folder in found}


def _last(folder: str) -> str:
    return _key("folder", _INDEX, folder)


def _before(
    seen: Mapping[str, Mapping[str, str]], cache: Cache
) -> dict[str, dict[str, Any]]:
    """The known indexes of the files that folders of these names had before, by folder and file.

    It is None for a file that says nothing.
    """
    keys = {folder: _last(folder) for folder in seen}
    last = recalled(cache, keys, lambda _, row: (str(row[0]), dict(row[1])))
    said = {folder: key for folder, (key, _) in last.items()}
    rows = recalled(cache, said, lambda _, rows: dict(_spelled(rows)))
    found: dict[str, dict[str, Any]] = {}
    for folder, of in rows.items():
        was, now = last[folder][1], seen[folder]
        found[folder] = {f: of.get(f) for f in was if now.get(f) == was[f]}
    return found


def _derive(
    root: Path,
    seen: Mapping[str, Mapping[str, str]],
    said: Mapping[str, str],
    cache: Cache,
    made: dict[str, list[tuple[str, str]]],
) -> dict[str, str]:
    """Derive the heat of all functions, and store it; returns the key of what is stored by folder.

    What the files of some folders say was just ``made``; it is removed.
    """

    def again(damaged: list[str]) -> Iterator[tuple[str, list[Any]]]:
        for folder in damaged:
            rows = _index(root, [*seen[folder]])
            if rows is not None:
                yield folder, rows

    known = {folder: key for folder, key in said.items() if folder not in made}
    read = remembered(cache, known, lambda _, rows: _spelled(rows), again, list)
    read |= made
    made.clear()
    if said.keys() - read.keys():
        raise TryAgain(f"not all files of {root} can be read")
    indexes = {file: row for folder in said for file, row in read.pop(folder)}
    # It takes 100 MB, of which the parts that are free afterwards are too small for what follows.
    found = apart(partial(_lines_of, indexes))
    del indexes
    stored = {}
    for folder, several in groupby(found, lambda one: os.path.dirname(one[0])):
        inside = dict(several)
        stored[folder] = _key("heat of", repr(inside))
        cache.remember({stored[folder]: inside})
    return stored


def _lines_of(indexes: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Each file with the heat of its functions, as lines for the cache."""
    for file, found in derive(indexes):
        yield (
            file,
            [f"{name} {heat.value:.2g} {heat.per}" for name, heat in found.items()],
        )


def _read(rows: Mapping[str, str], files: Iterable[str], cache: Cache) -> Heats:
    """The heat of the functions of these files, given the keys of what is stored by folder."""
    asked = frozenset(files)
    folders = {os.path.dirname(file) for file in asked}
    keys = {folder: rows[folder] for folder in folders if folder in rows}
    found = recalled(cache, keys, lambda _, inside: dict(inside))
    of_files = (item for inside in found.values() for item in inside.items())
    return Heats({f: dict(map(_heat, lines)) for f, lines in of_files if f in asked})


def _heat(line: str) -> tuple[str, Heat]:
    name, _, rest = line.partition(" ")
    return name, _one(rest)


# A tenth of all are different.
@lru_cache(maxsize=16384)
def _one(line: str) -> Heat:
    value, _, per = line.partition(" ")
    return Heat(float(value), per)


def _index(root: Path, files: Sequence[str]) -> list[tuple[str, str]] | None:
    """Of these files, each that says anything, and what; None if one cannot be read."""
    found = []
    for file in files:
        try:
            text = read_listed(f"{root}/{file}")
        except OSError:
            return None
        one = spelled(text)
        made = parsed(one)
        if made.names or made.slots:
            found.append((file, one))
    return found


def _spelled(rows: Any) -> list[tuple[str, str]]:
    """Files and their indexes as the cache has them. Raises TypeError or ValueError if it has something else."""
    found = [(file, index) for file, index in rows]
    if not all(isinstance(part, str) for row in found for part in row):
        raise TypeError("these are no indexes")
    return found


def _key(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()


_INDEX = version()
_RULES = (Path(str(module.__file__)) for module in (entries, graph))
_HEAT = _key(_INDEX, *(p.read_text("utf-8") for p in _RULES), repr(entries.DATA))
