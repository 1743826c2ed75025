# SPDX-License-Identifier: GPL-2.0
"""Read one file's findings back from a SARIF log written by output.sarif.

Lines and columns count from 0 here, as in the Language Server Protocol.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hotcocci.output.sarif import BASE


@dataclass(frozen=True)
class Replacement:
    """A range of the file, with columns in UTF-16 code units, and its new text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Related:
    """A line, of this file or another, that explains a finding."""

    uri: str
    line: int
    message: str


@dataclass(frozen=True)
class Result:
    """A finding: ``level`` is error, warning or note, the lines are the first and the last.

    ``tag`` is the verdict with the tier or reason, for a violation the engines that found it. ``fix``
    is empty if there is none.
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
    related: tuple[Related, ...] = ()


@dataclass(frozen=True)
class Log:
    """The findings of a file, and why it or parts of it were skipped."""

    results: tuple[Result, ...] = ()
    skipped: tuple[str, ...] = ()


def read(document: str, uri: str) -> Log:
    """Return the findings of the file with this URI.

    Raises ValueError if the document is not a log that output.sarif wrote.
    """
    try:
        (run,) = json.loads(document)["runs"]
        (invocation,) = run["invocations"]
        base = run["originalUriBaseIds"][BASE]["uri"]
        notifications = invocation["toolExecutionNotifications"]
        return Log(
            tuple(
                _result(result, base)
                for result in run["results"]
                if base + _place(result)["artifactLocation"]["uri"] == uri
            ),
            tuple(each["message"]["text"] for each in notifications),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a SARIF log: {error}") from error


def _place(result: dict[str, Any]) -> dict[str, Any]:
    place: dict[str, Any] = result["locations"][0]["physicalLocation"]
    return place


def _result(result: dict[str, Any], base: str) -> Result:
    place = _place(result)["region"]
    own = result["properties"]
    tier, reason = own.get("tier"), own.get("reason")
    tag = f"{own['verdict']}/{tier or reason}"
    return Result(
        rule=result["ruleId"],
        level=result["level"],
        message=result["message"]["text"],
        line=place["startLine"] - 1,
        end_line=place["endLine"] - 1,
        tag=", ".join(own["engines"]) if "engines" in own else tag,
        tier=tier,
        reason=reason,
        notes=tuple(own.get("notes", ())),
        fix=tuple(
            _replacement(each)
            for fix in result.get("fixes", ())
            for change in fix["artifactChanges"]
            for each in change["replacements"]
        ),
        related=tuple(
            _related(each, base) for each in result.get("relatedLocations", ())
        ),
    )


def _related(location: dict[str, Any], base: str) -> Related:
    place = location["physicalLocation"]
    return Related(
        base + place["artifactLocation"]["uri"],
        place["region"]["startLine"] - 1,
        location["message"]["text"],
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
