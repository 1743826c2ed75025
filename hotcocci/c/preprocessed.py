# SPDX-License-Identifier: GPL-2.0
"""What a header defines for the kernel: macros, and texts without what is not for it.

A header of the user interface has branches for user space, for C++ and for other systems. They
are left out; a condition that only a configuration decides leaves both of its branches in, and
whoever finds two different definitions then knows that the text does not tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)$")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?[ \t]*(.*)$")
# What is known of these words in every kernel.
_KNOWN = {"__KERNEL__": True, "__linux__": True, "__cplusplus": False}
_TEST = re.compile(r"(!?)\s*(?:defined\s*\(?\s*)?(\w+)\s*\)?$")


@dataclass(frozen=True)
class Macro:
    """A macro: its parameters, None for one without any, and what it stands for."""

    parameters: tuple[str, ...] | None
    body: str


@dataclass(frozen=True)
class View:
    """A file as the kernel sees it: no comments, no branches for others, the same lines.

    ``macros`` are the different definitions of each name.
    """

    text: str
    macros: dict[str, tuple[Macro, ...]]


@lru_cache(maxsize=8192)
def view(path: Path) -> View:
    """What the kernel sees of a file. Raises OSError if it cannot be read."""
    return view_of(path.read_text(encoding="utf-8", errors="surrogateescape"))


def view_of(text: str) -> View:
    """The same of a text."""
    bare = _COMMENT.sub(lambda m: "\n" * m.group().count("\n") or " ", text)
    lines = bare.split("\n")
    kept: list[str] = []
    macros: dict[str, dict[Macro, None]] = {}
    # For each condition that is open: whether its branch is taken, None if not known, and
    # whether one before it was.
    stack: list[tuple[bool | None, bool]] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        count = 1
        while line.endswith("\\") and number + count < len(lines):
            line = line[:-1] + " " + lines[number + count]
            count += 1
        number += count
        condition = _CONDITION.match(line)
        if condition:
            _turn(stack, condition[1], condition[2].strip())
        if any(taken is False for taken, _ in stack):
            kept += [""] * count
            continue
        known = condition is not None and _decided(stack, condition[1])
        kept += [line if not known else "", *[""] * (count - 1)]
        defined = _DEFINE.match(line)
        if defined:
            parameters = defined[2]
            names = (
                tuple(p.strip() for p in parameters.split(","))
                if parameters is not None
                else None
            )
            macros.setdefault(defined[1], {})[Macro(names, defined[3].strip())] = None
    return View("\n".join(kept), {name: tuple(them) for name, them in macros.items()})


def _decided(stack: list[tuple[bool | None, bool]], word: str) -> bool:
    """Whether a condition's line tells nothing, as its outcome is known."""
    return word == "endif" or (bool(stack) and stack[-1][0] is not None)


def _turn(stack: list[tuple[bool | None, bool]], word: str, test: str) -> None:
    if word in ("if", "ifdef", "ifndef"):
        outcome = _outcome(word, test)
        stack.append((outcome, outcome is True))
    elif not stack:
        return
    elif word == "endif":
        stack.pop()
    else:
        taken, done = stack[-1]
        outcome = True if word == "else" else _outcome("if", test)
        if done:
            stack[-1] = (False, True)
        elif taken is None or outcome is None:
            stack[-1] = (None, False) if outcome is not False else (False, False)
        else:
            stack[-1] = (outcome, outcome)


def _outcome(word: str, test: str) -> bool | None:
    """Whether a condition holds in every kernel; None if a configuration decides."""
    if word == "if" and test in ("0", "1"):
        return test == "1"
    parts = [_word(part.strip()) for part in test.split("||")]
    outcome = True if True in parts else (None if None in parts else False)
    if word == "ifndef" and outcome is not None:
        return not outcome
    return outcome


def _word(test: str) -> bool | None:
    match = _TEST.match(test)
    known = _KNOWN.get(match[2]) if match else None
    if match is None or known is None:
        return None
    return not known if match[1] else known
