# SPDX-License-Identifier: GPL-2.0
"""Baselines: files of known findings and violations, so that only new ones are shown.

An entry identifies a finding by rule, file, function and the text of its line, not by the line
number, so that it survives changes elsewhere in the file.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from hotcocci.errors import UserError, told
from hotcocci.findings import Finding
from hotcocci.tree.source import put, read_named

VERSION = 1


L = TypeVar("L", bound=Finding)


def known_by(found: Finding, texts: Mapping[str, str]) -> str:
    """Return an id that does not change with the surrounding code."""
    text = texts.get(found.file, "")
    return digest(identity(found, text.split("\n"), found.line), 16)


def identity(found: Finding, lines: Sequence[str], last: int) -> tuple[str, ...]:
    """The identity of a finding in a file with these lines, apart from white space; ``last`` is its last line."""
    words = " ".join(lines[found.line - 1 : last]).split()
    return found.rule, found.file, found.function or "", " ".join(words)


def digest(parts: Sequence[str], length: int) -> str:
    """An id of so many hexadecimal digits."""
    data = "\0".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.sha256(data).hexdigest()[:length]


def read(
    file: Path, judged: Callable[[str, str], bool] = lambda *_: True
) -> Counter[str]:
    """Return how often each id occurs; ``judged`` selects entries by rule and file.

    Raises UserError if the file cannot be read.
    """
    with told(f"read the baseline {file}", "write it first with --write-baseline"):
        text = read_named(file)
    try:
        data = json.loads(text)
        entries = data["known"] if data["version"] == VERSION else None
        if entries is None:
            raise UserError(
                f"{file} has baseline version {data['version']}: regenerate it with --write-baseline"
            )
        known = (e for e in entries if judged(e["rule"], e["file"]))
        return Counter({str(e["id"]): int(e["count"]) for e in known})
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ) as error:
        raise UserError(
            f"{file} is not a baseline: write one with --write-baseline"
        ) from error


def write(file: Path, found: Sequence[Finding], texts: Mapping[str, str]) -> None:
    """Write a baseline atomically. Raises UserError if that fails, or for a file that is something else."""
    if os.path.lexists(file) and not _is_baseline(file):
        # A source may have been named in its place, and a device would be replaced.
        raise UserError(f"{file} is no baseline, and is left alone: name another file")
    grouped: dict[str, list[Finding]] = {}
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
    with told(f"write the baseline {file}", "name a file in a writable directory"):
        put(file, text.encode())


def _is_baseline(file: Path) -> bool:
    """Whether an existing file is a baseline of any version, or empty."""
    try:
        text = file.read_bytes() if file.is_file() else b"[]"
        return not text or "known" in json.loads(text)
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def new(
    found: Sequence[L], known: Counter[str], texts: Mapping[str, str]
) -> tuple[list[L], int]:
    """Return what is not in the baseline, and the number of entries that no longer occur."""
    left = Counter(known)
    fresh = []
    for each in found:
        key = known_by(each, texts)
        if left[key] > 0:
            left[key] -= 1
        else:
            fresh.append(each)
    return fresh, sum(count for count in left.values() if count > 0)
