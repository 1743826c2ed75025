# SPDX-License-Identifier: GPL-2.0
"""A log of ours in SARIF, read back by a program that shows one file of it.

Only what such a program needs is kept. Lines and columns count from 0 here, as editors have them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Replacement:
    """A stretch of the file, columns in UTF-16 code units, and what stands there instead."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Result:
    """One finding: ``level`` is error, warning or note, the lines are the first and the last.

    ``tag`` is the verdict with the tier or the reason; ``fix`` is empty where there is none.
    """

    rule: str
    level: str
    message: str
    line: int
    end_line: int
    tag: str
    tier: str | None
    reason: str | None
    notes: tuple[str, ...]
    fix: tuple[Replacement, ...]


@dataclass(frozen=True)
class Log:
    """What was found in one file, and why parts of it, or all, were not looked at."""

    results: tuple[Result, ...] = ()
    skipped: tuple[str, ...] = ()


def read(document: str) -> Log:
    """The log of one file, as output.sarif writes it. Raises ValueError for anything else."""
    try:
        (run,) = json.loads(document)["runs"]
        (invocation,) = run["invocations"]
        notifications = invocation["toolExecutionNotifications"]
        return Log(
            tuple(map(_result, run["results"])),
            tuple(each["message"]["text"] for each in notifications),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no log: {error}") from error


def _result(result: dict[str, Any]) -> Result:
    place = result["locations"][0]["physicalLocation"]["region"]
    told = result["properties"]
    tier, reason = told.get("tier"), told.get("reason")
    return Result(
        rule=result["ruleId"],
        level=result["level"],
        message=result["message"]["text"],
        line=place["startLine"] - 1,
        end_line=place["endLine"] - 1,
        tag=f"{told['verdict']}/{tier or reason}",
        tier=tier,
        reason=reason,
        notes=tuple(told.get("notes", ())),
        fix=tuple(
            _replacement(each)
            for fix in result.get("fixes", ())
            for change in fix["artifactChanges"]
            for each in change["replacements"]
        ),
    )


def _replacement(replacement: dict[str, Any]) -> Replacement:
    place = replacement["deletedRegion"]
    return Replacement(
        place["startLine"] - 1,
        place["startColumn"] - 1,
        place["endLine"] - 1,
        place["endColumn"] - 1,
        replacement.get("insertedContent", {"text": ""})["text"],
    )
