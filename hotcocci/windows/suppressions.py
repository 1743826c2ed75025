# SPDX-License-Identifier: GPL-2.0
"""Comments that allow a violation: ``/* hotcocci: allow UW05 - why */``.

One stands on the line of the violation, or on a line of its own right before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hotcocci.c.source import COMMENT, tokenize
from hotcocci.rules.entry import SPATCH
from hotcocci.rules.windows import WINDOW_RULES
from hotcocci.windows.merge import Violation

# What a comment that allows nothing is reported as
UNUSED = "UW00"

_ALLOW = re.compile(
    r"hotcocci:\s*allow\s+(?P<codes>UW\d+(?:\s*,\s*UW\d+)*)(?P<why>.*?)(?:\*/)?$",
    re.DOTALL,
)
_WORDS = re.compile(r"hotcocci:\s*allow\b")
_BY_CODE = {rule.code: rule for rule in WINDOW_RULES if rule.engines}


@dataclass(frozen=True)
class Allowance:
    """One rule that a comment allows; ``line`` is the comment's, ``target`` the line it is for."""

    rule: str
    line: int
    target: int
    complaint: str = ""


def allowances(text: str) -> list[Allowance]:
    """The allowances of a file, those that cannot be understood with a complaint."""
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
            complaint = "names no rule: write 'hotcocci: allow UW05 - why'"
            found.append(Allowance(UNUSED, line, target, complaint))
            continue
        why = match["why"].strip(" \t\n*-:—–")
        for code in re.findall(r"UW\d+", match["codes"]):
            complaint = ""
            if code not in _BY_CODE:
                complaint = f"names {code}, which is no rule: 'rules' lists them all"
            elif not why:
                complaint = (
                    f"allows {code} without saying why: write 'allow {code} - why'"
                )
            found.append(Allowance(code, line, target, complaint))
    return found


def suppress(
    violations: Sequence[Violation],
    texts: Mapping[str, str],
    asked: Collection[str],
    failed: Mapping[str, Collection[str]],
) -> tuple[list[Violation], list[Violation]]:
    """What is not allowed, and the comments that are wrong or allow nothing, as violations.

    ``texts`` are the files that were checked, ``asked`` the engines that should look at them and
    ``failed`` those that could not, by file: a comment is called unused only if all engines that
    promise its rule were asked, and one of them has looked.
    """
    allowed = {file: allowances(text) for file, text in texts.items()}
    used: set[tuple[str, Allowance]] = set()
    left = []
    for violation in violations:
        match = next(
            (
                a
                for a in allowed.get(violation.file, ())
                if (a.rule, a.target) == (violation.rule, violation.line)
                and not a.complaint
            ),
            None,
        )
        if match is None:
            left.append(violation)
        else:
            used.add((violation.file, match))
    wrong = []
    for file, found in allowed.items():
        for allowance in found:
            if allowance.complaint:
                wrong.append(_wrong(file, allowance, allowance.complaint))
            elif (file, allowance) not in used and _could_be_seen(
                allowance.rule, asked, failed.get(file, ())
            ):
                wrong.append(
                    _wrong(
                        file,
                        allowance,
                        f"allows {allowance.rule}, which nothing breaks here",
                    )
                )
    return left, wrong


def _could_be_seen(code: str, asked: Collection[str], failed: Collection[str]) -> bool:
    rule = _BY_CODE[code]
    promised = set(rule.engines)
    return (
        not rule.on_request and promised <= set(asked) and bool(promised - set(failed))
    )


def _wrong(file: str, allowance: Allowance, complaint: str) -> Violation:
    message = f"this comment {complaint}"
    return Violation(UNUSED, file, allowance.line, None, message, (SPATCH,))
