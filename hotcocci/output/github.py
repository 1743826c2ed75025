# SPDX-License-Identifier: GPL-2.0
"""Findings as GitHub Actions workflow commands, which annotate the lines of a pull request.

Syntax: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands;
escaping: packages/core/src/command.ts of https://github.com/actions/toolkit.
"""

from __future__ import annotations

from hotcocci.findings import Finding
from hotcocci.output.text import Show, tag
from hotcocci.rules.rulebook import rule
from hotcocci.windows.merge import Violation

NOTICE = "notice"
ERROR = "error"


def finding(found: Finding, show: Show = str) -> str:
    """Format a finding as a notice: it is a cost, not an error."""
    said = f"{found.message} [{tag(found)}]"
    return _command(
        NOTICE, show(found.file), found.line, found.end_line, found.rule, said
    )


def violation(found: Violation, show: Show = str) -> str:
    """Format a violation as an error, with its notes as further lines of the message."""
    notes = (f"{show(n.file)}:{n.line}: {n.message}" for n in found.notes)
    said = "\n".join([f"{found.message} [{', '.join(found.engines)}]", *notes])
    return _command(ERROR, show(found.file), found.line, found.line, found.rule, said)


def _command(
    kind: str, file: str, line: int, end_line: int, code: str, message: str
) -> str:
    properties = {
        "file": file,
        "line": str(line),
        "endLine": str(end_line),
        "title": f"{code} {rule(code).title}",
    }
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {said}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
