# SPDX-License-Identifier: GPL-2.0
"""Select the files of a tree that are worth parsing, by the words they mention."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.cache import Cache, Listed
from hotcocci.errors import UserError, unreadable
from hotcocci.findings import Skip
from hotcocci.pool import Failure, spread
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import read

SUFFIXES = (".c", ".h")
# Top directories that are not part of the kernel itself.
OUTSIDE = frozenset({"tools", "Documentation", "scripts"})
# Nanoseconds. A younger file may change again with the same modification time.
SETTLED_NS = 2_000_000_000
# With fewer files, a second process costs more than it saves.
WORTH_A_PROCESS = 2000

Stat = tuple[str, int, int]


@dataclass(frozen=True)
class Mention:
    """A pattern that a file must contain to be parsed. ``bit`` represents it in the cache.

    All matches of ``pattern`` contain ``word``, and one of the ``hints`` if there are any; both
    are much faster to search for.
    """

    bit: int
    word: bytes
    hints: tuple[bytes, ...]
    pattern: re.Pattern[bytes]


ACCESS = Mention(
    1, b"user", (b"t_user",), re.compile(rb"\b(?:__)?(?:get|put)_user\s*\(")
)
WINDOW = Mention(
    2,
    b"user",
    (b"user_access_", b"_access_begin", b"_access_end", b"scoped_user_", b"unsafe_"),
    re.compile(
        rb"\b(?:(?:masked_)?user_(?:\w+_)?access_(?:begin|end|save|restore)|scoped_user_\w+_access\w*"
        rb"|unsafe_(?:get|put|copy_to|copy_from|try_cmpxchg|atomic_store_release)_user)\s*\("
    ),
)
# Starts with a literal rather than \b, which makes the search fast.
COPY = Mention(
    4,
    b"user",
    (b"_user",),
    re.compile(rb"copy_(?:(?<!\wcopy_)|(?<=\b__copy_))(?:to|from)_user\s*\("),
)
CREDENTIAL = Mention(
    8,
    b"current",
    (),
    re.compile(
        rb"current(?:\s*->\s*(?:real_)?cred\b|_(?:(?:real_)?cred|cred_xxx|user|user_ns|(?:e|s|fs)?[ug]id"
        rb"|uid_gid|euid_egid|fsuid_fsgid|ucounts|cap|security|groups)\s*\()"
    ),
)
# Comments that allow a finding
ALLOWANCE = Mention(
    32, b"hotcocci", (b"hotcocci:",), re.compile(rb"hotcocci:\s*allow\b")
)
# Range checks, and begins that a newer or narrower form may replace
BEGIN = Mention(
    64,
    b"access",
    (b"access_ok", b"access_begin", b"_rw_access"),
    re.compile(
        rb"\b(?:access_ok|(?:masked_)?user_(?:\w+_)?access_begin|scoped_user_rw_access(?:_size)?)\s*\("
    ),
)
MENTIONS = (ACCESS, WINDOW, COPY, CREDENTIAL, ALLOWANCE, BEGIN)
_WORDS = frozenset(what.word for what in MENTIONS)
# Identifies the patterns that cached answers are for.
ASKED = hashlib.sha256(b"\0".join(m.pattern.pattern for m in MENTIONS)).hexdigest()


# The headers found while walking a whole tree: with everything cached, the walk is most of the run
# time, so it is not repeated.
_headers_seen: dict[Path, list[Stat]] = {}


def candidates(
    tree: Tree, paths: Sequence[Path], cache: Cache, what: Mention = ACCESS
) -> tuple[list[str], list[Skip]]:
    """The files at and below the paths that mention ``what``; see `mentions`."""
    found, skipped = mentions(tree, paths, cache)
    return mentioning(found, what), skipped


def mentioning(found: Mapping[str, int], what: Mention) -> list[str]:
    """The files that mention ``what``, sorted."""
    return sorted(file for file, bits in found.items() if bits & what.bit)


def mentions(
    tree: Tree, paths: Sequence[Path], cache: Cache
) -> tuple[dict[str, int], list[Skip]]:
    """The bits of what each file at and below the paths mentions.

    Files are relative to the tree; unreadable files in a folder are returned as skipped. Raises
    UserError for a named file that cannot be read or is not C, and for a path outside the tree.
    """
    found: dict[str, int] = {}
    skipped: list[Skip] = []
    for path in paths:
        where = path.resolve()
        if not where.is_relative_to(tree.root):
            raise UserError(
                f"{path} is not in the kernel tree {tree.root}: name files and folders of one tree"
            )
        if where.is_dir():
            files, missed = _below(tree, where, cache)
            found.update(files)
            skipped.extend(missed)
        else:
            file = str(where.relative_to(tree.root))
            unusable = _unusable(file)
            if unusable is None:
                found[file] = _named(path)
            else:
                skipped.append(Skip(_printable(file), unusable))
    return found, sorted(set(skipped), key=lambda skip: skip.file)


@lru_cache
def headers_state(root: Path) -> bytes:
    """A hash that changes when any header of the tree is added, removed or written.

    It is computed once per process, so all decisions are based on the same headers.
    """
    headers = _headers_seen.pop(root, None)
    if headers is None:
        headers = [stat for stat in _walk(root, root, []) if stat[0].endswith(".h")]
    return hashlib.sha256(repr(sorted(headers)).encode()).digest()


def _named(path: Path) -> int:
    """The bits of what a file named by the user mentions."""
    if path.suffix not in SUFFIXES:
        raise UserError(
            f"{path} is not a C file: name files that end in .c or .h, or a folder"
        )
    try:
        return mentioned(read(path))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: make it readable or omit it"
        ) from error


def mentioned(data: bytes) -> int:
    """The bits of what a file's bytes mention."""
    words = {word for word in _WORDS if word in data}
    return sum(
        what.bit
        for what in MENTIONS
        if what.word in words
        and (not what.hints or any(hint in data for hint in what.hints))
        and what.pattern.search(data)
    )


def _below(tree: Tree, folder: Path, cache: Cache) -> tuple[dict[str, int], list[Skip]]:
    skipped: list[Skip] = []
    known = cache.listing(str(folder), ASKED)
    found: dict[str, int] = {}
    unknown: list[Stat] = []
    seen = set()
    headers: list[Stat] = []
    for path, mtime_ns, size in _walk(tree.root, folder, skipped):
        seen.add(path)
        if path.endswith(".h"):
            headers.append((path, mtime_ns, size))
        listed = known.get(path)
        if listed is None or listed.mtime_ns != mtime_ns or listed.size != size:
            unknown.append((path, mtime_ns, size))
        elif listed.kinds:
            found[path] = listed.kinds
    if folder == tree.root:
        _headers_seen[folder] = headers
    settled = time.time_ns() - SETTLED_NS
    fresh = []
    processes = min(4, len(os.sched_getaffinity(0)))
    for (path, mtime_ns, size), answer in spread(
        _look_into, unknown, processes, WORTH_A_PROCESS
    ):
        if isinstance(answer, Failure):
            skipped.append(Skip(_relative(tree.root, path), answer.why))
            continue
        if answer:
            found[path] = answer
        if mtime_ns < settled:
            fresh.append(Listed(path, mtime_ns, size, answer))
    removed = known.keys() - seen
    if fresh or removed:
        cache.remember_listing(fresh, removed, ASKED)
    return {_relative(tree.root, path): bits for path, bits in found.items()}, skipped


def _relative(root: Path, path: str) -> str:
    return path[len(str(root)) + 1 :] or "."


def _walk(root: Path, top: Path, skipped: list[Skip]) -> Iterator[Stat]:
    """Path, modification time in ns and size in bytes of all C files below; symlinks are not followed."""
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
                    elif entry.name.endswith(SUFFIXES) and entry.is_file(
                        follow_symlinks=False
                    ):
                        unusable = _unusable(entry.path)
                        if unusable is not None:
                            file = _relative(root, entry.path)
                            skipped.append(Skip(_printable(file), unusable))
                            continue
                        stat = entry.stat(follow_symlinks=False)
                        yield entry.path, stat.st_mtime_ns, stat.st_size
        except OSError as error:
            skipped.append(Skip(_relative(root, folder), unreadable(error)))


def _unusable(path: str) -> str | None:
    """Why no engine can process a file with this name; None if it can."""
    if "\n" in path:
        return "its name has a newline: rename it"
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8: rename it"
    return None


def _printable(path: str) -> str:
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return name.replace("\n", "\\n")


def _look_into(stat: Stat) -> int | Failure:
    """The bits of what a file mentions, or why it cannot be read."""
    try:
        return mentioned(read(stat[0]))
    except OSError as error:
        return Failure(unreadable(error))
