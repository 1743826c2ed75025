# SPDX-License-Identifier: GPL-2.0
"""The configuration file: options that are the same each time.

``.hotcocci.toml``, or the table ``[tool.hotcocci]`` of a ``pyproject.toml``, in the folder of the
first path or above it. Its keys are options without the dashes; those on the command line win.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hotcocci.errors import UserError
from hotcocci.tree.source import read as contents

NAME = ".hotcocci.toml"
SHARED_NAME = "pyproject.toml"
# Options of which a person or a project makes one choice; all others belong to one call. Those that
# say where to write, whom to send code to, or that a check may fail are not for a file that comes
# with a tree.
OPTIONS = (
    "all api baseline engine hot jobs min-run profile prove rule target tier timeout"
).split()
_PATHS = ("baseline", "profile")
# Bytes
MOST = 1 << 20


def find(start: Path) -> Path | None:
    """The configuration file that applies in a folder, or to a file. Raises UserError if it cannot be read."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if (folder / NAME).is_file():
            return folder / NAME
        shared = folder / SHARED_NAME
        if shared.is_file() and b"[tool.hotcocci]" in contents(shared):
            return shared
    return None


def read(file: Path) -> Mapping[str, Any]:
    """The options in a file, checked. Raises UserError for one that does not exist."""
    options = _table(file)
    for name in options:
        if name not in OPTIONS:
            raise UserError(
                f"{file}: there is no option {name} here: use one of {', '.join(OPTIONS)}"
            )
    return options


def words(
    file: Path, command: argparse.ArgumentParser, arguments: Sequence[str]
) -> list[str]:
    """The options of a file that a command has and its ``arguments`` do not set."""
    # There is no public way to ask a parser for its options.
    known = command._option_string_actions
    found = []
    for name, value in read(file).items():
        flag = f"--{name}"
        if flag not in known or any(a.partition("=")[0] == flag for a in arguments):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, bool):
                found += [flag] if each else []
            elif name in _PATHS:
                found.append(f"{flag}={file.parent / Path(str(each)).expanduser()}")
            else:
                found.append(f"{flag}={each}")
    return found


def _table(file: Path) -> Mapping[str, Any]:
    import tomllib

    try:
        found = tomllib.loads(contents(file, MOST).decode("utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: {error}: see docs/configuration.md") from error
    if file.name == SHARED_NAME:
        found = found.get("tool", {}).get("hotcocci", {})
    return found
