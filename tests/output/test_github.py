# SPDX-License-Identifier: GPL-2.0
"""Workflow commands of GitHub Actions, decoded like its runner does."""

import re
from dataclasses import replace

from hotcocci.findings import Note
from hotcocci.output import github
from hotcocci.windows.merge import Violation

COMMAND = re.compile(r"::(?P<kind>\w+) (?P<properties>[^:]*)::(?P<message>.*)")


def unescaped(text: str) -> str:
    """Decode the escapes known to the runner (ActionCommand.cs of actions/runner)."""
    for escape, meant in zip("0D 0A 3A 2C 25".split(), "\r\n:,%", strict=True):
        text = text.replace(f"%{escape}", meant)
    return text


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Split a command into kind, properties and message."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = (pair.split("=", 1) for pair in match["properties"].split(","))
    properties = {name: unescaped(value) for name, value in pairs}
    return match["kind"], properties, unescaped(match["message"])


def test_special_characters_are_escaped(found):
    odd = replace(
        found.findings[0], file="a,b:c%0A.c", message="50%\r\n::error::no, %2C"
    )
    line = github.finding(odd)
    assert "file=a%2Cb%3Ac%250A.c," in line
    assert line.endswith("cycles: 50%25%0D%0A::error::no, %252C [rewrite/safe]")
    assert "\n" not in line and "\r" not in line
    _, properties, message = read(line)
    assert properties["file"] == odd.file
    assert odd.message in message


def test_columns_are_of_one_line(found):
    placed = replace(found.findings[0], column=5, end_column=9)
    _, properties, _ = read(github.finding(placed))
    assert (properties["col"], properties["endColumn"]) == ("5", "9")
    _, properties, _ = read(github.finding(replace(placed, end_line=placed.line + 1)))
    assert "col" not in properties


def test_a_violation_is_an_error_with_its_notes():
    notes = (Note("b.c", 3, "opened"),)
    engines = ("spatch", "smatch")
    violation = Violation("UW03", "a.c", 9, "f", "ends another", engines, notes)
    kind, properties, message = read(github.violation(violation, lambda f: f"k/{f}"))
    assert kind == "error"
    wanted = {"file": "k/a.c", "line": "9", "endLine": "9"}
    assert wanted.items() <= properties.items()
    assert message == "ends another [spatch, smatch]\nk/b.c:3: opened"
