# SPDX-License-Identifier: GPL-2.0
"""The configuration file: options that are the same each time.

``.hotcocci.toml``, in the folder of the first path or above it. Its keys are options without the
dashes; those on the command line win.
"""

import argparse
import os
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from hotcocci.errors import UserError, told
from hotcocci.tree import git
from hotcocci.tree.kernel import find_root
from hotcocci.tree.source import read as contents
from hotcocci.tree.touched import is_same_at

NAME = ".hotcocci.toml"
# Options of which a person or a project makes one choice; all others belong to one call. Those that say where to
# write, whom to send code to, or that a check may fail are not for a file that comes with a tree.
OPTIONS = (
    "all api baseline engine hot jobs min-run profile prove rule target tier timeout"
).split()
# Those that name a file, and the bytes that it may have
_PATHS = {"baseline": 64 << 20, "profile": 1 << 30}
# The options that cannot hide a finding.
_HARMLESS = ("all", "jobs", "prove", "timeout")
# Bytes, far more than anyone writes; what it takes to read some texts grows with the square.
MOST = 16 << 10


def find(start: Path) -> Path | None:
    """The configuration file that applies in a folder, or to a file."""
    start = start.absolute()
    files = (folder / NAME for folder in (start, *start.parents))
    return next(filter(Path.is_file, files), None)


def read(file: Path) -> Mapping[str, Any]:
    """The options in a file, checked. Raises UserError for one that does not exist."""
    options = _table(file)
    for name in options:
        if name not in OPTIONS:
            raise UserError(
                f"{file}: there is no option {name} here: use one of {', '.join(OPTIONS)}"
            )
    return options


def applying(
    file: Path, command: argparse.ArgumentParser, arguments: Sequence[str]
) -> dict[str, Any]:
    """The options of a file that a command has and its ``arguments`` do not set."""
    # There is no public way to ask a parser for its options.
    known = command._option_string_actions
    flags = known.keys() - {argument.partition("=")[0] for argument in arguments}
    return {n: value for n, value in read(file).items() if f"--{n}" in flags}


def hiding(found: Mapping[str, Any]) -> list[str]:
    """Those of these options that may hide findings."""
    return [name for name in found if name not in _HARMLESS]


def of_the_change(
    file: Path, found: Mapping[str, Any], start: Path, base: str | None
) -> list[str]:
    """Those options of a file that a change under test may have set to hide what is wrong with it.

    That is all that hide, if the file is in the checkout or the tree of ``start`` and is not, with the
    files it names, as in the revision ``base``. Raises UserError if there is no such revision.
    """
    around = [place for place in (git.top(start), find_root(start)) if place]
    top = min(around, key=lambda place: len(place.parts), default=file.parent)

    def is_ours(used: Path) -> bool:
        # A link may stay as it was, and its target change.
        folder = used.parent.resolve()
        if folder != top and top.is_relative_to(folder):
            return not used.resolve().is_relative_to(top)
        if base is None or used.is_symlink():
            return False
        return is_same_at(top, base, folder / used.name)

    names = hiding(found)
    if is_ours(file):
        return [n for n in names if n in _PATHS and not is_ours(_named(file, found[n]))]
    return names


def words(file: Path, found: Mapping[str, Any], without: Collection[str]) -> list[str]:
    """These options of a file as arguments, apart from those named."""
    made = []
    for name, value in found.items():
        for each in value if isinstance(value, list) else [value]:
            if name in without or each is False:
                continue
            if isinstance(each, bool):
                made.append(f"--{name}")
            else:
                given = _regular(file, name, each) if name in _PATHS else each
                made.append(f"--{name}={given}")
    return made


def _regular(file: Path, name: str, value: object) -> Path:
    """The path that an option names; whoever reads it says if there is no such file.

    Only the caller may name a pipe or a device: these block, or never end.
    """
    path = _named(file, value)
    try:
        status = path.stat()
    except OSError:
        return path
    if not stat.S_ISREG(status.st_mode) or status.st_size > _PATHS[name]:
        most = _PATHS[name] >> 20
        raise UserError(
            f"{file}: {name}: {path} is not a regular file of at most {most} MB: name another one"
        )
    return path


def _named(file: Path, value: object) -> Path:
    if "\0" in str(value):
        raise UserError(f"{file}: no file has a NUL byte in its name: name another one")
    return file.parent / os.path.expanduser(str(value))


def _table(file: Path) -> Mapping[str, Any]:
    import tomllib

    with told(f"read {file}", "mend it, or name another one with --config"):
        data = contents(file, MOST)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        said = _plain(str(error))
        raise UserError(f"{file}: {said}: see docs/configuration.md") from error


def _plain(error: str) -> str:
    """The error that tomllib reports for a file, its line first; the end of a line is illegal in a string."""
    said, _, place = error.partition(" (at ")
    said = said.replace(r"Illegal character '\n'", "unterminated string")
    where = place.partition(",")[0].removesuffix(")")
    return f"{where}: {said[:1].lower()}{said[1:]}" if where else said
