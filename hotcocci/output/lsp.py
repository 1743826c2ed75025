# SPDX-License-Identifier: GPL-2.0
"""Findings as an editor shows them: diagnostics, texts to hover over, and edits.

The Language Server Protocol, version 3.17. Findings are of the saved file; what is told of lines that
were edited since would be wrong, and is not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from hotcocci.c.allowances import UNUSED
from hotcocci.output.sarif import ERROR, NOTE, WARNING
from hotcocci.output.sarif_results import Log, Related, Result
from hotcocci.rules.rulebook import REASONS, rule

SOURCE = "hotcocci"
PAGES = Path(__file__).resolve().parents[2] / "docs" / "rules"
SEVERITIES = {
    ERROR: types.DiagnosticSeverity.Error,
    WARNING: types.DiagnosticSeverity.Warning,
    NOTE: types.DiagnosticSeverity.Information,
}


@dataclass(frozen=True)
class View:
    """A text in the editor, as lines, and how its client counts columns."""

    lines: tuple[str, ...]
    codec: PositionCodec

    def position(self, line: int, column: int) -> types.Position:
        """A column of characters as the client counts it."""
        return self.codec.position_to_client_units(
            self.lines, types.Position(line, column)
        )

    def from_utf16(self, line: int, column: int) -> types.Position:
        """The same of a column in UTF-16 code units."""
        units = self.lines[line].encode("utf-16-le")[: 2 * column]
        return self.position(line, len(units.decode("utf-16-le")))


def view(text: str, codec: PositionCodec) -> View:
    """A text as an editor shows it."""
    # Not splitlines(), which also ends a line at a form feed.
    return View(tuple(text.split("\n")), codec)


def moved(results: Sequence[Result], saved: str, text: str) -> list[Result]:
    """The findings of the saved text where they are in another; none whose lines were edited."""
    if saved == text:
        return list(results)
    old, new = saved.split("\n"), text.split("\n")
    most = min(len(old), len(new))
    head = _alike(old, new, most)
    tail = _alike(old[::-1], new[::-1], most - head)
    by = len(new) - len(old)
    found = []
    # Where the lines that explain them are by now is not looked for.
    for result in (replace(each, related=()) for each in results):
        if result.end_line < head:
            found.append(result)
        elif result.line >= len(old) - tail:
            lines = (result.line + by, result.end_line + by)
            found.append(replace(result, line=lines[0], end_line=lines[1]))
    return found


def _alike(old: Sequence[str], new: Sequence[str], most: int) -> int:
    """How many lines both begin with, ``most`` at most."""
    pairs = zip(old[:most], new[:most], strict=True)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), most)


def diagnostics(
    results: Sequence[Result], log: Log, shown: View
) -> list[types.Diagnostic]:
    """What is shown of a file: each finding at its first line, and what was not looked at."""
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
    """One finding, at the code of its first line."""
    line = shown.lines[result.line]
    start = shown.position(result.line, len(line) - len(line.lstrip()))
    page = PAGES / f"{result.rule}.md"
    return types.Diagnostic(
        range=types.Range(start, shown.position(result.line, len(line.rstrip()))),
        message=f"{result.message} [{result.tag}]",
        severity=SEVERITIES[result.level],
        code=result.rule,
        code_description=types.CodeDescription(page.as_uri())
        if page.is_file()
        else None,
        source=SOURCE,
        related_information=[_related(each) for each in result.related] or None,
    )


def _related(related: Related) -> types.DiagnosticRelatedInformation:
    at = types.Position(related.line, 0)
    place = types.Location(related.uri, types.Range(at, at))
    return types.DiagnosticRelatedInformation(place, related.message)


def hover(results: Sequence[Result], line: int) -> types.Hover | None:
    """What is to be known about the findings at a line; None if there are none."""
    told = [_told(each) for each in results if each.line <= line <= each.end_line]
    if not told:
        return None
    # Plain text: the * of C would be read as Markdown.
    return types.Hover(
        types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(told))
    )


def _told(result: Result) -> str:
    entry = rule(result.rule)
    parts = [f"{result.rule} ({entry.title}): {result.message}"]
    if result.tier is not None:
        parts.append(f"It can be rewritten, in tier {result.tier}.")
        parts += [f"- {note}" for note in result.notes]
    elif result.reason is not None:
        meaning = REASONS.get(result.reason, "")
        parts.append(f"It is not rewritten: {result.reason}. {meaning}".rstrip())
    return "\n\n".join([*parts, entry.doc])


def rewriting(result: Result, shown: View) -> list[types.TextEdit]:
    """The edits of a finding's rewrite, in the text that it was found in."""
    return [
        types.TextEdit(
            types.Range(
                shown.from_utf16(each.line, each.column),
                shown.from_utf16(each.end_line, each.end_column),
            ),
            each.text,
        )
        for each in result.fix
    ]


def allowing(result: Result, shown: View) -> list[types.TextEdit]:
    """The edit that allows a finding by a comment, which asks for a reason; none where it cannot stand."""
    line = shown.lines[result.line]
    if result.rule == UNUSED or shown.lines[result.line - 1].endswith("\\"):
        return []
    indent = line[: len(line) - len(line.lstrip())]
    at = shown.position(result.line, 0)
    text = f"{indent}/* hotcocci: allow {result.rule} - */\n"
    return [types.TextEdit(types.Range(at, at), text)]
