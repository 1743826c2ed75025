# SPDX-License-Identifier: GPL-2.0
"""Findings, read back from the SARIF log of one file, as Language Server Protocol 3.17 diagnostics, hover texts and edits.

Lines and columns count from 0 here.

Findings are for the text that was analysed: those on lines that were edited since are dropped.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from os.path import commonprefix
from typing import Any

from lsprotocol import types
from pygls.workspace import PositionCodec

from hotcocci.layout import page_of
from hotcocci.output.sarif import BASE, ERROR, NOTE, WARNING
from hotcocci.output.text import refusal
from hotcocci.pipeline.filtering import UNUSED
from hotcocci.rules.rulebook import rule


@dataclass(frozen=True)
class Result:
    """A finding: ``level`` is error, warning or note, the lines are the first and the last.

    ``tag`` is the verdict with the tier or reason, for a violation the engines that found it. ``fix``
    has columns in UTF-16 code units, and is empty if there is none.
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
    fix: tuple[types.TextEdit, ...]
    related: tuple[types.DiagnosticRelatedInformation, ...] = ()


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


def _related(location: dict[str, Any], base: str) -> types.DiagnosticRelatedInformation:
    """A line, of this file or another, that explains a finding."""
    place = location["physicalLocation"]
    at = types.Position(place["region"]["startLine"] - 1, 0)
    uri = base + place["artifactLocation"]["uri"]
    return types.DiagnosticRelatedInformation(
        types.Location(uri, types.Range(at, at)), location["message"]["text"]
    )


def _replacement(replacement: dict[str, Any]) -> types.TextEdit:
    place = replacement["deletedRegion"]
    start = types.Position(place["startLine"] - 1, place["startColumn"] - 1)
    end = types.Position(place["endLine"] - 1, place["endColumn"] - 1)
    text = replacement.get("insertedContent", {"text": ""})["text"]
    return types.TextEdit(types.Range(start, end), text)


SOURCE = "hotcocci"
SEVERITIES = {
    ERROR: types.DiagnosticSeverity.Error,
    WARNING: types.DiagnosticSeverity.Warning,
    NOTE: types.DiagnosticSeverity.Information,
}


# More edited lines than an action has: they are not compared one by one while somebody types.
LONGEST = 400


@dataclass(frozen=True)
class View:
    """The lines of a text in the editor, and how the client counts columns."""

    lines: tuple[str, ...]
    codec: PositionCodec

    def position(self, line: int, column: int) -> types.Position:
        """Convert a column in characters to the client's units."""
        return self.codec.position_to_client_units(
            self.lines, types.Position(line, column)
        )

    def from_utf16(self, place: types.Position) -> types.Position:
        """Convert a column in UTF-16 code units to the client's units."""
        units = self.lines[place.line].encode("utf-16-le")[: 2 * place.character]
        return self.position(place.line, len(units.decode("utf-16-le")))


def view(text: str, codec: PositionCodec) -> View:
    """Split a text into lines as editors do."""
    # Not splitlines(), which also ends a line at a form feed.
    return View(tuple(text.split("\n")), codec)


def moved(results: Sequence[Result], seen: str, text: str) -> list[Result]:
    """Move findings of the analysed text to their lines in another text; drops those on edited lines."""
    if seen == text:
        return list(results)
    old, new = seen.split("\n"), text.split("\n")
    # Related lines may have moved, too: drop them.
    return [
        replace(each, related=(), line=each.line + by, end_line=each.end_line + by)
        for each in results
        for start, by, count in _kept(old, new)
        if start <= each.line and each.end_line < start + count
    ]


def _kept(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int]]:
    """The pieces of a text that another one has, too: where each starts, how far it moves, its lines.

    An action has edits in two places, where it was asked for and at the end of the function.
    """
    most = min(len(old), len(new))
    head = len(commonprefix([old, new]))
    tail = min(len(commonprefix([old[::-1], new[::-1]])), most - head)
    yield 0, 0, head
    between = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(map(len, between)) <= LONGEST:
        blocks = SequenceMatcher(None, *between, autojunk=False).get_matching_blocks()
        for one in blocks:
            yield head + one.a, one.b - one.a, one.size
    yield len(old) - tail, len(new) - len(old), tail


def diagnostics(
    results: Sequence[Result], log: Log, shown: View
) -> list[types.Diagnostic]:
    """Return the diagnostics of a file: findings, and reasons for skipping."""
    missed = [
        types.Diagnostic(
            range=types.Range(shown.position(0, 0), shown.position(0, 0)),
            message=reason,
            severity=types.DiagnosticSeverity.Information,
            source=SOURCE,
        )
        for reason in log.skipped
    ]
    return [*(diagnostic(result, shown) for result in results), *missed]


def diagnostic(result: Result, shown: View) -> types.Diagnostic:
    """Return the diagnostic of a finding, at its code."""
    line, last = shown.lines[result.line], shown.lines[result.end_line]
    start = shown.position(result.line, len(line) - len(line.lstrip()))
    page = page_of(result.rule)
    return types.Diagnostic(
        range=types.Range(start, shown.position(result.end_line, len(last.rstrip()))),
        message=f"{result.message} [{result.tag}]",
        severity=SEVERITIES[result.level],
        code=result.rule,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        related_information=list(result.related) or None,
    )


def hover(results: Sequence[Result], line: int) -> types.Hover | None:
    """Explain the findings at a line; None if there are none."""
    texts = [_explained(each) for each in results if each.line <= line <= each.end_line]
    if not texts:
        return None
    # Plain text: Markdown would interpret the * of C.
    return types.Hover(
        types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(texts))
    )


def _explained(result: Result) -> str:
    entry = rule(result.rule)
    parts = [f"{result.rule} ({entry.title}): {result.message}"]
    if result.tier is not None:
        parts.append(f"Has a rewrite in tier {result.tier}.")
        parts += [f"- {note}" for note in result.notes]
    elif result.reason is not None:
        parts.append(refusal(result.reason, result.message))
    return "\n\n".join([*parts, entry.doc])


def rewriting(result: Result, shown: View) -> list[types.TextEdit]:
    """Return the edits of a finding's rewrite, for the analysed text."""
    return [
        types.TextEdit(
            types.Range(*map(shown.from_utf16, (each.range.start, each.range.end))),
            each.new_text,
        )
        for each in result.fix
    ]


def allowing(result: Result, shown: View) -> list[types.TextEdit]:
    """Return the edit that adds a comment to suppress a finding; none where no comment can be."""
    line = shown.lines[result.line]
    if result.rule == UNUSED or shown.lines[result.line - 1].endswith("\\"):
        return []
    indent = line[: len(line) - len(line.lstrip())]
    at = shown.position(result.line, 0)
    text = f"{indent}/* hotcocci: allow {result.rule} - */\n"
    return [types.TextEdit(types.Range(at, at), text)]
