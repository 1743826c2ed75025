# SPDX-License-Identifier: GPL-2.0
"""Which files have to be compiled to see all instantiations of one file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

# grep over a whole tree takes 1.2 s when the tree is in memory, a minute from a slow disk.
TIMEOUT = 600.0
# A header can have thousands of users; as many of the nearest ones are compiled.
NEAREST = 3
INCLUDE = re.compile(r'#\s*include\s*["<]([^">]+)[">]')


def units(tree: Path, file: str, folder: str) -> tuple[str, ...]:
    """The .c files whose compilation reads the file: itself, and whoever includes it.

    sound/core/pcm_compat.c, for one, is only ever compiled inside pcm_native.c. Of the
    users of a header only the nearest are returned that belong to the architecture whose
    folder in arch/ is named. Raises UserError without grep.
    """
    if file.endswith(".c"):
        return (file, *_users(tree, file))
    users = _users(tree, file)
    return _nearest(file, (user for user in users if not foreign(user, folder)))


def foreign(file: str, folder: str) -> bool:
    """Whether a file belongs to another architecture than the one of this folder."""
    parts = file.split("/")
    return parts[0] == "arch" and parts[1] != folder


def _users(tree: Path, file: str) -> tuple[str, ...]:
    """The .c files that include the file, be it by way of other files."""
    found: set[str] = set()
    reached = {file}
    waiting = [file]
    while waiting:
        wanted = waiting.pop()
        for user, name in _including(tree, _pattern(wanted)):
            if user in reached or not _may_name(tree, user, name, wanted):
                continue
            reached.add(user)
            if user.endswith(".c"):
                found.add(user)
            # The users of the users of a header would be half of the tree.
            if user.endswith(".c") or file.endswith(".c"):
                waiting.append(user)
    return tuple(sorted(found))


def _pattern(wanted: str) -> str:
    """What an #include of a file looks like, between its quotes."""
    if wanted.endswith(".c"):
        # So few files are meant that one search for all of these serves every question.
        return r"[^\">]*\.c"
    return rf"([^\">]*/)?{re.escape(Path(wanted).name)}"


def _may_name(tree: Path, user: str, name: str, wanted: str) -> bool:
    """Whether ``#include "name"`` in the file ``user`` can mean the wanted file."""
    beside = os.path.normpath(os.path.join(os.path.dirname(user), name))
    if beside == wanted:
        return True
    # Otherwise it is found through some -I, unless a file beside the user hides it.
    return f"/{wanted}".endswith(f"/{name}") and not (tree / beside).exists()


@lru_cache(maxsize=256)
def _including(tree: Path, pattern: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a file and a name that it #includes and that matches the pattern."""
    argv = ["grep", "-rsE", "--include=*.c", "--include=*.h", "--include=*.S"]
    argv += [f"--exclude-dir={name}" for name in (".git", "Documentation", "tools")]
    argv += [
        "-e",
        rf'^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]{pattern}[">]',
        ".",
    ]
    try:
        outcome = run(argv, tree, TIMEOUT)
    except MissingProgram as error:
        raise UserError(
            "cannot look for #includes without grep: install it (Debian: apt install grep)"
        ) from error
    if outcome.status is None:
        raise UserError(
            f"searching {tree} for #includes took over {TIMEOUT:.0f} s: try again"
        )
    pairs = []
    for line in outcome.out.splitlines():
        user, _, text = line.partition(":")
        name = INCLUDE.search(text)
        if name:
            pairs.append((user.removeprefix("./"), name[1]))
    return tuple(pairs)


def _nearest(file: str, users: Iterable[str]) -> tuple[str, ...]:
    """The users whose path has most in common with the file's."""

    def distance(user: str) -> tuple[int, str]:
        shared = os.path.commonprefix([file.split("/"), user.split("/")])
        return -len(shared), user

    return tuple(sorted(users, key=distance)[:NEAREST])
