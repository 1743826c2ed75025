# SPDX-License-Identifier: GPL-2.0
"""A changed file to compare on one target, the .c files that show the change, and the process that compares it.

A crash or hang of z3 or the emulator is confined to a process of its own, and other machines can do the same
work. Both are imported there (work.py) and not here: what only patches needs none.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hotcocci.c.flow import closure
from hotcocci.c.source import DIRECTIVE, NAME, Token
from hotcocci.errors import TryAgain, UserError
from hotcocci.findings import NOT_PROVEN, Execution, Other
from hotcocci.layout import setup_hint
from hotcocci.proof import pasted
from hotcocci.proof.changed import Text, aligned, defined, differing, through
from hotcocci.records import rebuilt
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import (
    foreign,
    including,
    may_name,
    nearest,
    searched,
    units,
)
from hotcocci.tree.process import run
from hotcocci.tree.source import decode, read

# An #include of anything
ANY = r"[^\">]+"

# At most this many users are compiled, and looked for.
MOST = 40
MANY = 4000

_KEYWORDS = frozenset(
    "struct union enum const static unsigned signed int char short long void bool float double "
    "volatile extern typedef inline return if else while for do".split()
)
# What follows the name that a declaration declares
_DECLARED = frozenset(";,[:={})")
PACKAGE = Path(__file__).resolve().parents[2]
# The module that compares the code.
WORK = Path(__file__).with_name("work.py")
# Limit on processor time for a file in seconds; proving a function may take a minute.
TIMEOUT = 600.0
# These affect the results.
LIBRARIES = ("unicorn", "capstone", "pyelftools", "pyvex", "z3-solver")
# Those of the ``prove`` extra
PROVERS = ("unicorn", "pyvex", "z3-solver")
MISSING = "no version"


@dataclass(frozen=True)
class Users:
    """The .c files to compile for a change of a header, and how many others use what changes."""

    files: tuple[str, ...]
    left: int


@lru_cache(maxsize=64)
def users(tree: Path, file: str, old: str, new: str, folder: str) -> Users:
    """All users of the macros, functions, types and members that a change of a header touches.

    Those of architectures other than ``folder`` in arch/ do not count. Raises UserError without grep.
    """
    texts = [Text(file, text) for text in aligned(file, old, new).texts]
    names: set[str] = set()
    for text, tokens in zip(texts, differing(texts[0], texts[1]), strict=True):
        names |= _of(text, tokens)
    reached = reaching(tree, file)
    own = {file, *reached}

    def find(words: Collection[str]) -> dict[str, str]:
        return {f: decode(read(tree / f)) for f in mentioning(tree, words) & own}

    found: frozenset[str] = frozenset()
    made: set[str] = set()
    more = names
    while more:
        found = mentioning(tree, names) & reached
        if len(found) > MANY:
            break
        headers = [Text(h, decode(read(tree / h))) for h in found if h.endswith(".h")]
        known = [*texts, *headers]
        more = {n for text in known for n in _using(text, names)}
        pasting = [Text(f, decode(read(tree / f))) for f in _pasting(tree, names) & own]
        macros, files = pasted.made([*known, *pasting], names, find)
        made |= files
        more = (more | macros) - names
        names |= more
    found |= made
    sources = {f for f in found if f.endswith(".c") and not foreign(f, folder)}
    chosen = nearest(tree, file, sources, MOST)
    return Users(chosen, len(sources) - len(chosen))


def _using(text: Text, names: set[str]) -> set[str]:
    """The names of a header through which others use these: macros, and functions with a body."""
    found = through(text, names)
    return found | {
        text.pieces.all[text.pieces.owner[token.start]].function
        for token in text.tokens
        if token.text in found and token.start in text.pieces.owner
    }


def _of(text: Text, tokens: Iterable[Token]) -> set[str]:
    """The names of what these tokens are part of."""
    found: set[str] = set()
    outside: set[int] = set()
    for token in tokens:
        if token.kind == DIRECTIVE:
            found |= {defined(token)} - {""}
        elif token.start in text.pieces.owner:
            found.add(text.pieces.all[text.pieces.owner[token.start]].function)
        else:
            outside.add(token.start)
    for item in _items(text) if outside else ():
        if not outside.isdisjoint(token.start for token in item):
            found |= _declared(item)
    return found


def _items(text: Text) -> Iterator[list[Token]]:
    """The declarations outside functions, each up to its semicolon."""
    item: list[Token] = []
    depth = 0
    for token in text.tokens:
        if token.kind == DIRECTIVE or token.start in text.pieces.owner:
            continue
        item.append(token)
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == ";" and depth <= 0:
            yield item
            item, depth = [], 0
    yield item


def _declared(item: list[Token]) -> set[str]:
    """The names that a declaration declares: a type and its members, or a function or variable."""
    head = [token.text for token in item]
    if "{" not in head and "(" in head:
        return {head[max(head.index("(") - 1, 0)]} - _KEYWORDS
    found = {
        token.text
        for token, follower in zip(item, item[1:])
        if token.kind == NAME and follower.text in _DECLARED
    }
    return found - _KEYWORDS


def mentioning(tree: Path, names: Collection[str]) -> frozenset[str]:
    """The C files and headers in which one of these words occurs. Raises UserError without grep."""
    words = [word for name in sorted(names) for word in ("-e", name)]
    found = searched(tree, ["-lwF", *words], ("*.c", "*.h")) if words else []
    return frozenset(file.removeprefix("./") for file in found)


def _pasting(tree: Path, names: Collection[str]) -> set[str]:
    """The files with macros that may make one of these names of parts. Raises UserError without grep."""
    pattern = pasted.pattern(names)
    found = searched(tree, ["-lE", "-e", pattern], ("*.c", "*.h")) if pattern else []
    return {file.removeprefix("./") for file in found}


def reaching(tree: Path, file: str) -> frozenset[str]:
    """The files that include a file, directly or through others. Raises UserError without grep."""
    by_name = _includes(tree)

    def users(wanted: str) -> list[str]:
        named = by_name.get(os.path.basename(wanted), ())
        return [user for user, name in named if may_name(tree, user, name, wanted)]

    return frozenset(closure([file], users)) - {file}


@lru_cache(maxsize=2)
def _includes(tree: Path) -> dict[str, list[tuple[str, str]]]:
    """Every #include of a tree: the file it is in and the name, by the last part of the name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for user, name in including(tree, ANY):
        found.setdefault(os.path.basename(name), []).append((user, name))
    return found


@dataclass(frozen=True)
class Task:
    """A changed file, and the compile commands of the .c files that include it.

    ``missing`` are those for which kbuild has no rule. ``others`` are files that the change
    needs changed too. ``left`` counts users of what changes in a header that are not compiled.
    ``spreads`` compiles it with other layouts of structures, too (layouts.py), which our own rewrites do not need.
    """

    build: Build
    file: str
    old: str
    new: str
    commands: tuple[Command, ...]
    missing: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    left: int = 0
    spreads: bool = False

    def texts(self) -> tuple[dict[str, str], dict[str, str]]:
        """The texts of all changed files and of the .c files to compile, before and after."""
        tree = self.build.tree
        users = {c.file: decode(read(tree / c.file)) for c in self.commands}
        old = {other.file: other.old for other in self.others}
        new = {other.file: other.new for other in self.others}
        return (
            {**users, **old, self.file: self.old},
            {**users, **new, self.file: self.new},
        )


def tasks(
    build: Build,
    changes: Iterable[tuple[str, str, str]],
    others: Mapping[str, tuple[Other, ...]] | None = None,
) -> list[Task]:
    """The tasks for some changes, each a file with its text before and after.

    ``others`` has the files that a change needs changed too, by the file that needs them.
    """
    folder = build.target.folder
    wanted = {change: _compiled_with(build.tree, *change, folder) for change in changes}
    known = commands(build, {file for users in wanted.values() for file in users.files})
    found = []
    for change, using in wanted.items():
        missing = tuple(file for file in using.files if file not in known)
        left = using.left + (len(missing) if change[0].endswith(".h") else 0)
        compiled = tuple(known[file] for file in using.files if file in known)
        more = (others or {}).get(change[0], ())
        found.append(Task(build, *change, compiled, missing, more, left))
    return found


def _compiled_with(tree: Path, file: str, old: str, new: str, folder: str) -> Users:
    """The .c files to compile for a change."""
    using = users(tree, file, old, new, folder) if file.endswith(".h") else Users((), 0)
    if using != Users((), 0):
        return using
    own = (user for user in units(tree, file, folder) if not foreign(user, folder))
    return Users(tuple(own), 0)


def work_apart(task: Task, timeout: float = TIMEOUT) -> tuple[Execution, ...]:
    """Compare the code in a child process, which may crash or exceed ``timeout`` seconds (process.py)."""
    return compare_apart(pickle.dumps(task), task.build.target.name, task.file, timeout)


def compare_apart(
    given: bytes,
    target: str,
    file: str,
    timeout: float = TIMEOUT,
    wanted: Callable[[], bool] | None = None,
) -> tuple[Execution, ...]:
    """Compare the code of a pickled task, compiled or not, in a child process.

    It ends with this process, and if its result is no longer ``wanted``.
    """
    argv = [sys.executable, "-m", "hotcocci.proof.work"]
    # Compiling our modules takes longer than most comparisons, so let Python keep them.
    keep = os.environ.get("PYTHONDONTWRITEBYTECODE", "")
    extra = {"PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": keep}
    try:
        outcome = run(
            argv, PACKAGE, timeout, stdin=decode(given), extra=extra, wanted=wanted
        )
        if outcome.status == 0:
            return tuple(rebuilt(Execution, each) for each in json.loads(outcome.out))
        said = outcome.err.strip().splitlines() or ["no message"]
        why = f"it failed: {said[-1]}"
    except TryAgain as error:
        why = f"the comparison's {error}"
    return (Execution(target, file, "", NOT_PROVEN, why),)


def run_all(
    tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
    """Yield each task with its results as it completes; ``jobs`` processes at a time."""
    with ThreadPoolExecutor(max_workers=max(jobs, 1)) as pool:
        running = {pool.submit(work_apart, task): task for task in tasks}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def libraries() -> dict[str, str]:
    """The version of each library; MISSING for a missing one."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = MISSING
    return found


def require_provers() -> None:
    """Raise UserError if a library that proofs need is missing."""
    found = libraries()
    absent = [name for name in PROVERS if found[name] == MISSING]
    if absent:
        raise UserError(
            f"Python libraries that proofs need are missing: {', '.join(absent)}: "
            f"{setup_hint('prove', 'prove')}"
        )
