# SPDX-License-Identifier: GPL-2.0
"""A file of findings and violations that are known already, so that only new ones are shown.

One is known by its rule, its file, its function and the text of its line, not by the
line's number: code above it may come and go.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from hotcocci.errors import UserError

VERSION = 1


class Located(Protocol):
    """What can be known: a rule and a place."""

    @property
    def rule(self) -> str:
        """The rule's code."""

    @property
    def file(self) -> str:
        """The file, relative to the tree."""

    @property
    def line(self) -> int:
        """The line, counted from 1."""

    @property
    def function(self) -> str | None:
        """The function around it, if there is one."""


L = TypeVar("L", bound=Located)


def known_by(found: Located, texts: Mapping[str, str]) -> str:
    """What stays the same about what was found while the code around it changes."""
    lines = texts[found.file].split("\n") if found.file in texts else []
    text = lines[found.line - 1] if 0 < found.line <= len(lines) else ""
    parts = (
        found.rule,
        found.file,
        found.function or "",
        " ".join(text.split()),
    )
    return hashlib.sha256(
        "\0".join(parts).encode("utf-8", "surrogateescape")
    ).hexdigest()[:16]


def _any(_rule: str, _file: str) -> bool:
    return True


def read(file: Path, judged: Callable[[str, str], bool] = _any) -> Counter[str]:
    """How often each thing that is known occurs, where it is judged: by its rule and its file.

    Raises UserError if it cannot be read.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        entries = data["known"] if data["version"] == VERSION else None
        if entries is None:
            raise UserError(
                f"{file} is of version {data['version']}: write it anew with --write-baseline"
            )
        return Counter(
            {
                str(e["id"]): int(e["count"])
                for e in entries
                if judged(e["rule"], e["file"])
            }
        )
    except OSError as error:
        raise UserError(
            f"cannot read the baseline {file}: {error.strerror}: write it first with --write-baseline {file}"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{file} is no baseline: write one with --write-baseline"
        ) from error


def write(file: Path, found: Sequence[Located], texts: Mapping[str, str]) -> None:
    """Write what is known now; the old file stays if that fails. Raises UserError."""
    grouped: dict[str, list[Located]] = {}
    for each in found:
        grouped.setdefault(known_by(each, texts), []).append(each)
    entries = [
        {
            "id": key,
            "count": len(same),
            "rule": same[0].rule,
            "file": same[0].file,
            "function": same[0].function,
        }
        for key, same in sorted(
            grouped.items(), key=lambda g: (g[1][0].file, g[1][0].line, g[0])
        )
    ]
    text = json.dumps({"version": VERSION, "known": entries}, indent=1) + "\n"
    try:
        handle, name = tempfile.mkstemp(prefix=".baseline.", dir=file.resolve().parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(name, file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(
            f"cannot write the baseline {file}: {error.strerror}: name a file in a folder that can be written to"
        ) from error


def new(
    found: Sequence[L], known: Counter[str], texts: Mapping[str, str]
) -> tuple[list[L], int]:
    """What is not known yet, and how many known ones are gone."""
    left = Counter(known)
    fresh = []
    for each in found:
        key = known_by(each, texts)
        if left[key] > 0:
            left[key] -= 1
        else:
            fresh.append(each)
    return fresh, sum(count for count in left.values() if count > 0)
