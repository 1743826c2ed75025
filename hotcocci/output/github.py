# SPDX-License-Identifier: GPL-2.0
"""Findings as GitHub Actions workflow commands, which annotate the lines of a pull request.

Syntax: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands;
escaping: packages/core/src/command.ts of https://github.com/actions/toolkit.
"""

from __future__ import annotations

from collections.abc import Mapping

from hotcocci.findings import Finding, Skip
from hotcocci.output.text import Show, gain, tag
from hotcocci.rules.rulebook import rule
from hotcocci.windows.merge import Violation

NOTICE = "notice"
WARNING = "warning"
ERROR = "error"


def finding(found: Finding, show: Show = str) -> str:
    """Format a finding as a notice: it is a cost, not an error. A violation is one, with its notes on further lines."""
    if isinstance(found, Violation):
        notes = (f"{show(n.file)}:{n.line}: {n.message}" for n in found.notes)
        said = "\n".join([f"{found.message} [{', '.join(found.engines)}]", *notes])
        return _at(ERROR, show(found.file), found, said)
    said = f"{gain(found)}{found.message} [{tag(found)}]"
    return _at(NOTICE, show(found.file), found, said)


def skip(skipped: Skip, show: Show = str) -> str:
    """Format what was skipped as a warning, at its first line if it is a part of a file."""
    properties = {"title": "could not be read"}
    if skipped.file != ".":  # which is the whole tree
        lines = {"line": str(skipped.lines[0])} if skipped.lines else {}
        properties = {"file": show(skipped.file), **lines, **properties}
    return _command(WARNING, properties, skipped.reason)


def _at(kind: str, file: str, found: Finding, message: str) -> str:
    properties = {
        "file": file,
        "line": str(found.line),
        "endLine": str(found.end_line),
        "title": f"{found.rule} {rule(found.rule).title}",
    }
    # An annotation of several lines has none.
    if found.column is not None and found.line == found.end_line:
        properties |= {"col": str(found.column), "endColumn": str(found.end_column)}
    return _command(kind, properties, message)


def _command(kind: str, properties: Mapping[str, str], message: str) -> str:
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {said}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
