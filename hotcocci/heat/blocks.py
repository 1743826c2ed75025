# SPDX-License-Identifier: GPL-2.0
"""What a function calls, and under which loops and conditions, from its lines and their indentation.

Kernel style gives each block a tab of its own (Documentation/process/coding-style.rst), which is as good
as braces where #ifdef makes them unbalanced, and much faster to read.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from hotcocci.heat.entries import COMMANDS

# Weights count halvings, two for each: 2 is a factor of 0.5. With the loops they fit in a byte.
IF = 2
MOST_IFS = 4
ERROR = 13
AFTER_RETURN = 5
MOST_LOOPS = 2
LEAST = 40
PER_LEVEL = MOST_LOOPS + 1
IN_CASE = 128
"""Added to the code of a call that is only in cases of a switch, none of them a known command."""
NAMED = 127
"""The code of a function that is named, not called: a callback counts like a conditional call."""

_WORDS = frozenset("if for while switch do case default return goto break".split())
# The lines of a function that begin with a keyword or have a bracket: their indentation, first word
# and the rest.
_LINE = re.compile(
    r"\n([\t ]*+)(?!#)(\} ?)?+(else\b ?)?+"
    rf"(?:(?=(?:{'|'.join(sorted(_WORDS))})\b)|(?<=else)|(?<=else )|(?=[^\n()]*+[()]))(\w*+)([^\n]*+)"
)
# Read backwards: a search for a bracket is much faster than one for a name.
_CALL = re.compile(r"\( ?\)?(\w*[A-Za-z_])(>-|\.)?")
_UNLIKELY = re.compile(r"\b(?:unlikely|IS_ERR\w*|WARN\w*|BUG\w*)\s*\(")
_ENDLESS = re.compile(r"\s*\((?:\s*;\s*;|\s*(?:1|true|0))\s*\)")
_FAILED = re.compile(r"\s*(?:-E[A-Z0-9]+|ERR_PTR\(-E[A-Z0-9]+\))\s*;")
_EQUALS = re.compile(r"==\s*([A-Z][A-Z0-9_]{3,})\b")
_LABEL = re.compile(r"\b([A-Z_][A-Za-z0-9_]{3,})\s*(?::|\.\.\.)")
_FRAMED = sorted((w for w in COMMANDS if not w.endswith("32")), key=len, reverse=True)
_COMMAND = re.compile(
    rf"(?:^|_)({'|'.join(_FRAMED)})((?:_?(?:X|TIME)?\d+)*)(?:_OLD|_WR)?$"
)


def _backwards(words: str) -> frozenset[str]:
    return frozenset(word[::-1] for word in words.split())


_NOT_CALLED = _backwards(
    "if while for switch return sizeof typeof __typeof__ likely unlikely defined offsetof container_of"
)
# Calls that are unconditional only where something went wrong; some, in a whole function.
_FATAL = _backwards("pr_emerg pr_alert pr_crit pr_err panic BUG die dump_stack")
_ALARMS = _FATAL | _backwards("dev_err dev_crit netdev_err")


@dataclass(slots=True)
class _Block:
    """A block of a function: its parent, its kind, and the number of its first line.

    ``word`` is that of a command which leads here; ``cold`` is set on an error path.
    """

    parent: int
    kind: str
    line: int = 0
    word: str = ""
    cold: bool = False


def command_word(label: str) -> str:
    """The word of the table of commands that the name of a command ends in, empty if there is none."""
    found = _COMMAND.search(label)
    if found is None:
        return ""
    return f"{found[1]}32" if "32" in found[2] else found[1]


class _Body:
    """Reads a function line by line."""

    def __init__(self) -> None:
        self.blocks = [_Block(0, "")]
        # Indentation and number of each open block.
        self.stack = [(0, 0)]
        # Name and arrow, backwards, and block of each call.
        self.calls: list[tuple[str, str, int]] = []
        self.cases: dict[int, int] = {}
        self.lines = 0

    def read(self, body: str) -> None:
        """Read all lines."""
        unclosed = 0
        stack = self.stack
        for space, closes, other, word, rest in _LINE.findall(f"\n{body}"):
            if word not in _WORDS:
                rest = f"{word}{rest}"
                word = "for_each" if "for_each" in word else ""
            self.lines += 1
            if unclosed > 0:
                unclosed += self._condition(rest)
                continue
            indent = len(space.expandtabs()) if " " in space else 8 * len(space)
            labelled = word == "case" or word == "default"
            last = self.blocks[0]
            if len(stack) > 1 and stack[-1][0] >= indent:
                last = self._leave(indent, labelled)
            current = stack[-1][1]
            if not word and not other:
                self._add_calls(rest, current)
            elif word == "break":
                continue
            elif word == "return" or word == "goto":
                self._add_calls(rest, current)
                self._jump(word, rest, current, indent)
            elif labelled:
                self._case(rest, indent, current, last)
            elif closes and word == "while":
                self._add_calls(rest, current)
                if last.kind == "do" and not _ENDLESS.match(rest):
                    last.kind = "loop"
            else:
                self._add_calls(rest, current)
                self._open(self._kind(other, word, rest, last), rest, indent, current)
                unclosed = rest.count("(") - rest.count(")")

    def _leave(self, indent: int, labelled: bool) -> _Block:
        """Close what a line at this indentation ends; returns the last block that was closed."""
        last = self.blocks[0]
        stack = self.stack
        while len(stack) > 1:
            top, number = stack[-1]
            block = self.blocks[number]
            if top < indent or (top == indent and labelled and block.kind == "switch"):
                break
            last = block
            stack.pop()
        return last

    def _add_calls(self, text: str, block: int) -> None:
        if "(" in text:
            for name, arrow in _CALL.findall(text[::-1]):
                self.calls.append((name, arrow, block))

    def _condition(self, text: str) -> int:
        """Read a further line of a condition; returns how many brackets it opens."""
        block = self.blocks[-1]
        self._add_calls(text, block.parent)
        if block.kind == "if" and _UNLIKELY.search(text):
            block.kind = "unlikely"
        return text.count("(") - text.count(")")

    def _open(
        self, kind: str, rest: str, indent: int, parent: int, word: str = ""
    ) -> None:
        if kind == "if" and "==" in rest:
            equal = _EQUALS.search(rest)
            word = command_word(equal[1]) if equal else ""
        self.blocks.append(_Block(parent, kind, self.lines, word))
        self.stack.append((indent, len(self.blocks) - 1))

    def _jump(self, word: str, rest: str, current: int, indent: int) -> None:
        if current and word == "return" and _FAILED.match(rest):
            self.blocks[current].cold = True
        if len(self.stack) == 1 and indent <= 8:
            # What follows is reached by goto only.
            self.blocks.append(_Block(0, "after"))
            self.stack[0] = (0, len(self.blocks) - 1)

    def _case(self, rest: str, indent: int, switch: int, last: _Block) -> None:
        words = [w for w in map(command_word, _LABEL.findall(rest)) if w]
        word = words[0] if words else ""
        if last.kind == "case" and last.line == self.lines - 1:
            # case A: case B: share their code.
            word = word or last.word
        else:
            self.cases[switch] = self.cases.get(switch, 0) + 1
        self._open("case", rest, indent, switch, word)
        self._add_calls(rest, len(self.blocks) - 1)

    @staticmethod
    def _kind(other: str, word: str, rest: str, last: _Block) -> str:
        if word == "if":
            if _UNLIKELY.search(rest):
                return "unlikely"
            return "likely" if "(likely(" in rest else "if"
        if word == "for" or word == "while" or word == "for_each":
            return "do" if _ENDLESS.match(rest) else "loop"
        if other:
            return {"unlikely": "likely", "likely": "unlikely"}.get(last.kind, "if")
        return word

    def codes(self) -> list[tuple[int, str]]:
        """Code and command of each block."""
        if len(self.blocks) == 1:
            return [(0, "")]
        made = [(0, 0, 0, "", False)]
        # Beside commands that run per frame, the others are set-up.
        framed = {b.parent for b in self.blocks if b.kind == "case" and b.word}
        for block in self.blocks[1:]:
            level, loops, ifs, command, switched = made[block.parent]
            command = block.word or command
            if block.cold or block.kind == "unlikely":
                level += ERROR
            elif block.kind == "if" and not block.word and ifs < MOST_IFS:
                level += IF
                ifs += 1
            elif block.kind == "loop":
                loops = min(loops + 1, MOST_LOOPS)
            elif block.kind == "case":
                rare = ERROR if block.parent in framed else 0
                number = self.cases.get(block.parent, 1)
                level += IF if block.word else rare + round(math.log2(number))
                switched = True
            elif block.kind == "after":
                level += AFTER_RETURN
            made.append((min(level, LEAST), loops, ifs, command, switched))
        return [
            (level * PER_LEVEL + loops + IN_CASE * switched, command)
            for level, loops, _, command, switched in made
        ]


def calls_of(body: str) -> tuple[dict[str, int], dict[str, str], bool]:
    """The calls of a function, its calls under a command's label, and whether it is an error path itself.

    A call is the name, or ``>slot`` through a pointer; it has the code of the most frequent place.
    """
    if "(" not in body:
        return {}, {}, False
    read = _Body()
    read.read(body)
    fatal = False
    for name, _, number in read.calls:
        if name in _ALARMS:
            if number:
                read.blocks[number].cold = True
            elif name in _FATAL:
                fatal = True
    codes = read.codes()
    calls: dict[str, int] = {}
    commands: dict[str, str] = {}
    for name, arrow, number in read.calls:
        if name in _NOT_CALLED:
            continue
        code, command = codes[number]
        key = f">{name[::-1]}" if arrow else name[::-1]
        old = calls.get(key)
        if old is None or _RANKS[code] < _RANKS[old]:
            calls[key] = code
        if command:
            commands[key] = command
    for key in commands:
        calls[key] %= IN_CASE
    return calls, commands, fatal


def of_several(number: int) -> int:
    """The code of a call of one of so many functions, as in a case of a switch."""
    return round(math.log2(number)) * PER_LEVEL + IN_CASE


def _rank(code: int) -> int:
    """How seldom a call with this code is made: fewer is more often. A loop counts four times."""
    level, loops = divmod(code % IN_CASE, PER_LEVEL)
    return level - 4 * loops


_RANKS = [*map(_rank, range(2 * IN_CASE))]
