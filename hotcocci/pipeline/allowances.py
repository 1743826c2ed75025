# SPDX-License-Identifier: GPL-2.0
"""Parse comments that allow a finding: ``/* hotcocci: allow UA101 - why */``.

The comment is on the line of the finding, or on a line of its own right before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hotcocci.baseline import Located
from hotcocci.c.source import COMMENT, tokenize
from hotcocci.rules.rulebook import RULES

# The rule for malformed and unused comments
UNUSED = "UW00"

_CODE = r"[A-Z]{2}\d+"
_ALLOW = re.compile(
    rf"hotcocci:\s*allow\s+(?P<codes>{_CODE}(?:\s*,\s*{_CODE})*)(?P<why>.*?)(?:\*/)?$",
    re.DOTALL,
)
_WORDS = re.compile(r"hotcocci:\s*allow\b")
# UNUSED itself cannot be allowed.
_CODES = frozenset(rule.code for rule in RULES) - {UNUSED}


@dataclass(frozen=True)
class Allowance:
    """One rule that a comment on ``line`` allows on the line ``target``.

    If ``complaint`` is set, the comment is malformed and allows nothing; ``rule`` is UNUSED if
    it names none.
    """

    rule: str
    line: int
    target: int
    complaint: str = ""

    @property
    def of_windows(self) -> bool:
        """Whether it names a window rule, as ``check`` uses."""
        return self.rule.startswith("UW")


def allowances(text: str) -> list[Allowance]:
    """The allowances in a file; malformed ones have a complaint."""
    if "hotcocci:" not in text:
        return []
    found = []
    for token in tokenize(text):
        if token.kind != COMMENT or not _WORDS.search(token.text):
            continue
        line = text.count("\n", 0, token.start) + 1
        last = line + token.text.count("\n")
        before = text[text.rfind("\n", 0, token.start) + 1 : token.start]
        target = last if before.strip() else last + 1
        match = _ALLOW.search(token.text)
        if match is None:
            complaint = "names no rule: write 'hotcocci: allow UA101 - why'"
            found.append(Allowance(UNUSED, line, target, complaint))
            continue
        why = match["why"].strip(" \t\n*-:—–")
        for code in re.findall(_CODE, match["codes"]):
            complaint = ""
            if code not in _CODES:
                complaint = f"names {code}, which is no rule: 'rules' lists them all"
            elif not why:
                complaint = (
                    f"allows {code} without saying why: write 'allow {code} - why'"
                )
            found.append(Allowance(code, line, target, complaint))
    return found


Place = TypeVar("Place", bound=Located)


def split(
    found: Sequence[Place], written: Mapping[str, Sequence[Allowance]]
) -> tuple[list[Place], list[tuple[Place, Allowance]]]:
    """What no comment allows, and what one does; ``written`` are the comments of each file."""
    by_place = {
        (file, a.rule, a.target): a
        for file, several in written.items()
        for a in several
        if not a.complaint
    }
    left, allowed = [], []
    for each in found:
        by = by_place.get((each.file, each.rule, each.line))
        if by is None:
            left.append(each)
        else:
            allowed.append((each, by))
    return left, allowed


def wrong(
    written: Mapping[str, Sequence[Allowance]],
    allowed: Sequence[tuple[Located, Allowance]],
    is_judged: Callable[[str, Allowance], bool],
    unused: str,
) -> Iterator[tuple[str, int, str]]:
    """The file, the line and what is wrong of malformed and of unused comments; ``is_judged`` says of which."""
    used = {(each.file, by) for each, by in allowed}
    for file, several in written.items():
        for a in several:
            complaint = a.complaint or f"allows {a.rule}, but {unused}"
            if (a.complaint or (file, a) not in used) and is_judged(file, a):
                yield file, a.line, f"this comment {complaint}"
