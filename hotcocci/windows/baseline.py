# SPDX-License-Identifier: GPL-2.0
"""A file of violations that are known already, so that only new ones are shown.

A violation is known by its rule, its file, its function and the text of its line, not by the
line's number: code above it may come and go.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.windows.merge import Violation

VERSION = 1


def known_by(violation: Violation, texts: Mapping[str, str]) -> str:
    """What stays the same about a violation while the code around it changes."""
    lines = texts[violation.file].splitlines() if violation.file in texts else []
    text = lines[violation.line - 1] if 0 < violation.line <= len(lines) else ""
    parts = (
        violation.rule,
        violation.file,
        violation.function or "",
        " ".join(text.split()),
    )
    return hashlib.sha256(
        "\0".join(parts).encode("utf-8", "surrogateescape")
    ).hexdigest()[:16]


def read(file: Path) -> Counter[str]:
    """How often each known violation occurs; raises UserError if it cannot be read."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        entries = data["known"] if data["version"] == VERSION else None
        if entries is None:
            raise UserError(
                f"{file} is of version {data['version']}: write it anew with --write-baseline"
            )
        return Counter({str(e["id"]): int(e["count"]) for e in entries})
    except OSError as error:
        raise UserError(
            f"cannot read the baseline {file}: {error.strerror}: write it first with --write-baseline {file}"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{file} is no baseline: write one with --write-baseline"
        ) from error


def write(
    file: Path, violations: Sequence[Violation], texts: Mapping[str, str]
) -> None:
    """Write what is known now; the old file stays if that fails. Raises UserError."""
    grouped: dict[str, list[Violation]] = {}
    for violation in violations:
        grouped.setdefault(known_by(violation, texts), []).append(violation)
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
    violations: Sequence[Violation], known: Counter[str], texts: Mapping[str, str]
) -> tuple[list[Violation], int]:
    """The violations that are not known yet, and how many known ones are gone."""
    left = Counter(known)
    fresh = []
    for violation in violations:
        key = known_by(violation, texts)
        if left[key] > 0:
            left[key] -= 1
        else:
            fresh.append(violation)
    return fresh, sum(count for count in left.values() if count > 0)
