# SPDX-License-Identifier: GPL-2.0
"""Select the files of a tree that are worth parsing, by the words they mention."""

import ctypes
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from hotcocci.cache import Cache, recalled
from hotcocci.errors import UserError, told, unreadable
from hotcocci.findings import Skip
from hotcocci.pool import Failure, spread
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import (
    Times,
    hashed,
    keep,
    read,
    read_listed,
    settled_before,
    times_of,
)


@dataclass(frozen=True)
class Mention:
    """A pattern that a file must contain to be parsed.

    All matches of ``pattern`` contain ``word``, empty if they have none in common, and one of the ``hints`` if there are any; both
    are much faster to search for.
    """

    word: bytes
    hints: tuple[bytes, ...]
    pattern: re.Pattern[bytes]


def calls(names: Iterable[str]) -> Mention:
    """Calls of functions or macros with these names."""
    hints = tuple(sorted(name.encode() for name in names))
    return Mention(b"", hints, re.compile(rb"\b(?:%s)\s*\(" % b"|".join(hints)))


# Where a pattern starts with a literal rather than \b, the search is fast.
ACCESS = Mention(
    b"user",
    (b"t_user",),
    re.compile(rb"_user(?:(?<=\b[gp][eu]t_user)|(?<=\b__[gp][eu]t_user))\s*\("),
)
WINDOW = Mention(
    b"user",
    (b"user_access_", b"_access_begin", b"_access_end", b"scoped_user_", b"unsafe_"),
    re.compile(
        rb"\b(?:(?:masked_)?user_(?:\w+_)?access_(?:begin|end|save|restore)|scoped_user_\w+_access\w*"
        rb"|unsafe_(?:get|put|copy_to|copy_from|try_cmpxchg|atomic_store_release)_user)\s*\("
    ),
)
COPY = Mention(
    b"user",
    (b"m_user", b"o_user"),
    re.compile(rb"copy_(?:(?<!\wcopy_)|(?<=\b__copy_))(?:to|from)_user\s*\("),
)
CREDENTIAL = Mention(
    b"current",
    (),
    re.compile(
        rb"current(?:\s*->\s*(?:real_)?cred\b|_(?:(?:real_)?cred|cred_xxx|user|user_ns|(?:e|s|fs)?[ug]id"
        rb"|uid_gid|euid_egid|fsuid_fsgid|ucounts|cap|security|groups)\s*\()"
    ),
)
# Comments that allow a finding
ALLOWANCE = Mention(b"hotcocci", (b"hotcocci:",), re.compile(rb"hotcocci:\s*allow\b"))
# Range checks, and begins that a newer or narrower form may replace
BEGIN = Mention(
    b"access",
    (b"access_ok", b"access_begin", b"_rw_access"),
    re.compile(
        rb"\b(?:access_ok|(?:masked_)?user_(?:\w+_)?access_begin|scoped_user_rw_access(?:_size)?)\s*\("
    ),
)
# A file mentions this alone if no engine finds anything in it.
NUL = Mention(b"\0", (), re.compile(rb"\0"))
CR = Mention(b"\r", (), re.compile(rb"\r"))
UNUSABLE = {
    NUL: "it has NUL bytes, as binary files and UTF-16 have: it is no C source",
    CR: "its lines end in CR alone, which is one line in C: convert it",
}

Mentions = frozenset[Mention]

_memmem = ctypes.PyDLL(None).memmem
_memmem.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2
_memmem.restype = ctypes.c_void_p


def _has(data: bytes, word: bytes) -> bool:
    """Whether a word is in the data: "in", in a third of the time."""
    return _memmem(data, len(data), word, len(word)) is not None


def mentioned(data: bytes, asked: Sequence[Mention]) -> Mentions:
    """The words of ``asked`` in a file's bytes; one of `UNUSABLE` alone if that is what they are."""
    if b"\0" in data:
        return frozenset({NUL})
    if b"\r" in data and b"\n" not in data:
        return frozenset({CR})
    words = {word for word in {what.word for what in asked} if _has(data, word)}
    return frozenset(
        what
        for what in asked
        if what.word in words
        and (not what.hints or any(_has(data, hint) for hint in what.hints))
        and what.pattern.search(data)
    )


@lru_cache
def tag(asked: tuple[Mention, ...]) -> str:
    """Identifies the mentions that an answer in the cache is for."""
    patterns = b"\0".join(what.pattern.pattern for what in (*UNUSABLE, *asked))
    return f"{hashlib.sha256(patterns).hexdigest()[:16]} " if asked else ""


def written(found: Mentions, asked: tuple[Mention, ...]) -> str:
    """The words that a file mentions, as text for the cache: the numbers of those asked for."""
    if not (found and asked):
        return tag(asked)
    numbers = (str(n) for n, what in enumerate((*UNUSABLE, *asked)) if what in found)
    return tag(asked) + " ".join(numbers)


def read_written(kinds: str, asked: tuple[Mention, ...]) -> Mentions:
    """The inverse of `written`."""
    every = (*UNUSABLE, *asked)
    return frozenset(every[int(number)] for number in kinds.split()[1:])


SUFFIXES = (".c", ".h")
# Top directories that are not part of the kernel itself.
OUTSIDE = frozenset({"tools", "Documentation", "scripts"})
# Why nothing is read of a fifo, socket or device
IRREGULAR = "it is not a regular file"
# With fewer files, a second process costs more than it saves.
WORTH_A_PROCESS = 2000

# A path and its times
Stat = tuple[str, Times]


@dataclass(frozen=True)
class Listed:
    """A file that was looked at: a hash of its ``content``, and in ``kinds`` which of some calls it mentions."""

    path: str
    times: Times
    content: str
    kinds: str


# The state of all headers by tree, so that all decisions are based on the same ones.
_headers_states: dict[Path, bytes] = {}
# The last scan of a whole tree, for the next who asks for it.
_scanned: dict[Path, list[Listed]] = {}


def mentioning(found: Mapping[str, Mentions], what: Mention) -> list[str]:
    """The files that mention ``what``, sorted."""
    return sorted(file for file, mentioned in found.items() if what in mentioned)


def mentions(
    tree: Tree, paths: Sequence[Path], cache: Cache, asked: Sequence[Mention]
) -> tuple[dict[str, Mentions], list[Skip]]:
    """The words of ``asked`` in each file at and below the paths; files without any are omitted.

    Files are relative to the tree; unreadable files in a folder, and links out of the tree, are returned as
    skipped. Raises UserError for a named file that cannot be read or is not C, and for a path outside the tree.
    """
    found: dict[str, Mentions] = {}
    skipped: list[Skip] = []
    asked = tuple(asked)
    for path in paths:
        where = path.resolve()
        if not where.is_relative_to(tree.root):
            raise UserError(
                f"{path} is not in the kernel tree {tree.root}: name files and folders of one tree"
            )
        if where.is_dir():
            listed = _listed(tree.root, where, cache, skipped, asked)
            if where == tree.root:
                _scanned[where] = listed
            read = {
                kinds: read_written(kinds, asked) for kinds in {f.kinds for f in listed}
            }
            found.update((_relative(tree.root, f.path), read[f.kinds]) for f in listed)
        else:
            file = str(where.relative_to(tree.root))
            why = unusable(file)
            if why is None:
                found[file] = _named(path, asked)
            else:
                skipped.append(Skip(printable_name(file), why))
    for file, kinds in found.items():
        skipped += [Skip(file, UNUSABLE[what]) for what in kinds & UNUSABLE.keys()]
    found = {f: m for f, m in found.items() if m and m.isdisjoint(UNUSABLE)}
    return found, sorted(set(skipped), key=lambda skip: skip.file)


def headers_state(root: Path, cache: Cache) -> bytes:
    """A hash that changes when any header of the tree is added or removed, or has other contents.

    It is computed once per process.
    """
    if root not in _headers_states:
        _listed(root, root, cache, [])
    return _headers_states[root]


def hashes(root: Path, cache: Cache) -> dict[str, str]:
    """A hash of the contents of each C file of a tree, by its name in the tree.

    If `mentions` has just looked at all of them, that scan is taken, once.
    """
    found = _scanned.pop(root, None) or _listed(root, root, cache, [])
    return {_relative(root, each.path): each.content for each in found}


def is_small(root: Path) -> bool:
    """Whether a tree has so few C files that all of them can be read at once."""
    return sum(1 for _ in islice(_walk(root, root, []), WORTH_A_PROCESS)) < (
        WORTH_A_PROCESS
    )


def contents(root: Path) -> Iterator[bytes]:
    """The contents of all C files of a tree that can be read."""
    for file, _ in _walk(root, root, []):
        try:
            yield read(file)
        except OSError:
            continue


def _named(path: Path, asked: Sequence[Mention]) -> Mentions:
    """The words in a file named by the user."""
    if path.suffix not in SUFFIXES:
        raise UserError(
            f"{path} is not a C file: name files that end in .c or .h, or a folder"
        )
    with told(f"read {path}", "make it readable or omit it"):
        return mentioned(read(path), asked)


def _listed(
    root: Path,
    folder: Path,
    cache: Cache,
    skipped: list[Skip],
    asked: tuple[Mention, ...] = (),
) -> list[Listed]:
    """The C files below a folder, with what of ``asked`` they mention.

    Those are read whose times have changed since the last scan, or that were asked for other mentions.
    """
    wanted = tag(asked)
    folders: dict[str, list[Stat]] = {}
    for path, times in _walk(root, folder, skipped):
        folders.setdefault(os.path.dirname(path), []).append((path, times))
    known = recalled(cache, {each: _key(each) for each in folders}, _seen_before)
    found: list[Listed] = []
    new: list[Stat] = []
    for place, files in folders.items():
        before = known.get(place, {})
        for path, times in files:
            old = before.get(path)
            if old is not None and old.times == times and old.kinds.startswith(wanted):
                found.append(old)
            else:
                new.append((path, times))
    changed = {os.path.dirname(path) for path, _ in new}
    others = _like(root, changed, known, cache) if wanted else ()
    like = {o.content: o.kinds for o in others if o.kinds.startswith(wanted)}
    settled = settled_before()
    # To read all files takes less time than to pass them to processes.
    processes = 1 if like else min(4, len(os.sched_getaffinity(0)))
    look = partial(_look_into, asked, like)
    for (path, _), answer in spread(look, new, processes, WORTH_A_PROCESS):
        if isinstance(answer, Failure):
            skipped.append(Skip(_relative(root, path), answer.why))
        else:
            found.append(answer)
    rows: dict[str, dict[str, object]] = {place: {} for place in folders}
    for one in found:
        if one.times[1] < settled:
            keep(one.path, one.times, one.content)
            place, name = os.path.split(one.path)
            rows[place][name] = [one.times, one.content, one.kinds]
    # Files were removed from some.
    changed |= {each for each in known if len(known[each]) > len(folders[each])}
    cache.remember(
        {_key(each): rows[each] for each in changed}
        | {_key(_relative(root, each)): each for each in changed}
    )
    if folder == root and root not in _headers_states:
        headers = sorted(
            (_relative(root, each.path), each.content)
            for each in found
            if each.path.endswith(".h")
        )
        _headers_states[root] = hashlib.sha256(repr(headers).encode()).digest()
    return found


def _key(folder: str) -> str:
    """The key of what was last seen in a folder; of where that was, if its name is relative."""
    name = f"files of {folder}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(name).hexdigest()


def _seen_before(folder: str, row: Any) -> dict[str, Listed]:
    """The files that were seen in a folder, by path."""
    found = {}
    for name, ((mtime, ctime, size), content, kinds) in row.items():
        if not (isinstance(content, str) and isinstance(kinds, str)):
            raise ValueError(f"{folder} has another shape")
        path = f"{folder}/{name}"
        found[path] = Listed(path, (mtime, ctime, size), content, kinds)
    return found


def _like(
    root: Path,
    folders: Set[str],
    known: Mapping[str, Mapping[str, Listed]],
    cache: Cache,
) -> Iterator[Listed]:
    """The files that were last seen in these folders; in those of these names in any tree, if never."""
    others = {each: _key(_relative(root, each)) for each in folders - known.keys()}
    where = recalled(cache, others, lambda _, place: str(place))
    keys = {place: _key(place) for place in where.values()}
    elsewhere = recalled(cache, keys, _seen_before)
    for seen in (
        *elsewhere.values(),
        *(known[each] for each in folders & known.keys()),
    ):
        yield from seen.values()


def _relative(root: Path, path: str) -> str:
    return path[len(str(root)) + 1 :] or "."


def _walk(root: Path, top: Path, skipped: list[Skip]) -> Iterator[Stat]:
    """Path and times of all C files below.

    Links are not followed; those to files out of the tree are skipped.
    """
    kernel = str(root)
    folders = [str(top)]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and not (
                            folder == kernel and entry.name in OUTSIDE
                        ):
                            folders.append(entry.path)
                    elif entry.name.endswith(SUFFIXES):
                        file = _relative(root, entry.path)
                        link = entry.is_symlink()
                        # Not entry.is_file() of a link: a loop of them would end the whole folder.
                        regular = (
                            os.path.isfile(entry.path) if link else entry.is_file()
                        )
                        why = None if link or regular else IRREGULAR
                        if link and regular:
                            why = astray(root, entry.path)
                        why = why or unusable(file)
                        if why is not None:
                            skipped.append(Skip(printable_name(file), why))
                        elif not link:
                            stat = entry.stat(follow_symlinks=False)
                            yield entry.path, times_of(stat)
        except OSError as error:
            skipped.append(Skip(_relative(root, folder), unreadable(error)))


def astray(root: Path, link: str | Path) -> str | None:
    """Why nothing is read through a link: it leads nowhere, or out of the tree; None if it does neither.

    What it leads to within the tree is read there.
    """
    target = os.path.realpath(link)
    if not os.path.exists(target):
        return "it is a link that leads nowhere"
    if not f"{target}/".startswith(f"{root}/"):
        return "it is a link out of the tree, and is not followed"
    return None


def unusable(path: str) -> str | None:
    """Why no engine can process a file with this name in the tree; None if it can."""
    if "\n" in path:
        return "its name has a newline: rename it"
    if ":" in path:
        return "its name has a colon, after which spatch expects a line: rename it"
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8: rename it"
    return None


def printable_name(path: str) -> str:
    """A name without newlines, and with escapes for bytes that are not UTF-8."""
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return name.replace("\n", "\\n")


def _look_into(
    asked: tuple[Mention, ...], like: Mapping[str, str], one: Stat
) -> Listed | Failure:
    """The contents of a file, or the reason that it cannot be read; ``like`` is what is known of contents."""
    path, times = one
    try:
        data = read_listed(path)
    except OSError as error:
        return Failure(unreadable(error))
    content = hashed(data)
    kinds = like.get(content) or written(mentioned(data, asked), asked)
    return Listed(path, times, content, kinds)
