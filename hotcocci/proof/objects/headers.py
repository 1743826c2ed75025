# SPDX-License-Identifier: GPL-2.0
"""Preprocess what a file includes once for several compilations, without the bodies of functions that it does not use.

Most of the time of a compiler goes into headers: a file of the kernel reads a thousand of them, which define four
thousand inline functions, of which it uses a hundred.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from hotcocci.c.flow import closure
from hotcocci.c.source import WORD, bare
from hotcocci.tree.source import decode, read

_LEADING = re.compile(r"^[ \t]*#[ \t]*(include\b|if|endif).*\n", re.MULTILINE)
_NAMED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_BODY = re.compile(r"^\{$", re.MULTILINE)
# These begin with a literal: twice as fast in a text of megabytes.
_MACRO = re.compile(r"#(?<=^#)(?:define|undef) (\w+).*", re.MULTILINE)
# How gcc says that it begins to read a file
_ENTERED = re.compile(r'# (?<=^# )\d+ "(.*)" 1$', re.MULTILINE)
# How gcc says that the command line begins: its line was 1 until gcc 10
_COMMAND_LINE = re.compile(r'^# [01] "<command-line>"$', re.MULTILINE)
_GUARD = re.compile(r"\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b")
_BRACE = re.compile(r"""[{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'""")
_INLINE = re.compile(r"\b(?:__)?inline(?:__)?\b")
# What macros make names of; shorter parts are in too many names.
_PASTED = re.compile(r"\b(\w{3,})\s*##|##\s*(\w{3,})\b")
# How often names were made of __COUNTER__
_COUNT = "hotcocci_count"
# What comes after definitions
_REST = "hotcocci_rest"
# Places, definitions, and blank lines
_NO_TEXT = re.compile(r"^(?:#(?! ?pragma).*)?\n", re.MULTILINE)
# What is no debug information in assembly
_INSTRUCTION = re.compile(
    r"^\t(?!\.(?:string|ascii|section|loc|file))[^\"#\n]+", re.MULTILINE
)
_LINE = re.compile(r"\n(?:# .*)?")  # Its end, and a place


def leading(text: str) -> str:
    """The first lines of a file, up to its last #include before functions, or up to the end of the condition that it is under."""
    body = _BODY.search(text)
    end = depth = 0
    includes = False
    for line in _LEADING.finditer(text, 0, body.start() if body else len(text)):
        depth += (line[1] == "if") - (line[1] == "endif")
        includes |= line[1] == "include"
        if includes and not depth:
            end, includes = line.end(), False
    return text[:end]


class _Function(NamedTuple):
    """An inline function of a preprocessed text: where it begins, and where its body does and ends."""

    name: str
    start: int
    opens: int
    end: int


@dataclass(frozen=True)
class Headers:
    """The output of ``gcc -E -dD`` for the `leading` lines of a file and for `probe`."""

    lines: str
    said: str
    _used: dict[str, set[str]] = field(default_factory=dict)

    @staticmethod
    def probe(lines: str) -> str:
        """The text to preprocess."""
        return f"{lines}{_COUNT} __COUNTER__\n"

    def unit(self, file: str, rest: str, others: Sequence[str]) -> tuple[str, Set[str]]:
        """The text of a file of this name with ``rest`` after the lines, which includes ``others``.

        And the functions that are left out.
        """
        words = set(WORD.findall(" ".join((rest, *others))))
        used = set(closure(self._outside | words & self._known, self._uses))
        text = "".join(self._without(used)).replace(f'"{self._name}"', f'"{file}"')
        said = self._undefined, text, "\n", self._defined, self._behind(file, rest)
        return "".join(said), self._bodies.keys() - used

    def macros(self, file: str, rest: str) -> str:
        """The text of a file of this name to preprocess ``rest`` as it is after the lines."""
        return f"{self._defined}{_REST}\n{self._behind(file, rest)}"

    def before(self, file: str, said: str, plain: bool) -> str:
        """The output of gcc -E for the whole file, given that for `macros`; ``plain`` omits places and definitions."""
        own = self.said.rpartition(_COUNT)[0].replace(f'"{self._name}"', f'"{file}"')
        return (self._plain if plain else own) + said.partition(f"{_REST}\n")[2]

    @cached_property
    def _plain(self) -> str:
        return _NO_TEXT.sub("", self.said.rpartition(_COUNT)[0])

    def _behind(self, file: str, rest: str) -> str:
        number = self.lines.count("\n") + 1
        bump = f"#if 0{' && __COUNTER__' * self._count}\n#endif\n"
        return f'{bump}# {number} "{file}"\n{rest}'

    def included(self, path: Path, rest: str, out: Path) -> list[str] | None:
        """The texts of the .c files that ``rest``, of the file at a path, includes beside it.

        None if that includes others than headers that the lines did, which say nothing more. gcc runs in ``out``.
        """
        found, waiting = list[str](), [rest]
        while waiting:
            for name in _NAMED.findall(waiting.pop()):
                beside = path.parent / name
                if name.endswith(".c") and beside.is_file():
                    found.append(decode(read(beside)))
                    waiting.append(found[-1])
                    continue
                known = next((f for f in self._read if f.endswith(f"/{name}")), None)
                if known is None or not _GUARD.match(bare(decode(read(out / known)))):
                    return None
        return found

    @cached_property
    def _read(self) -> list[str]:
        """The names of the files that were read, in order."""
        return _ENTERED.findall(self.said)

    def uses(self, functions: Set[str], name: str) -> bool:
        """Whether one of these functions of the headers names another one."""
        bodies = (body for each in functions for body in self._bodies[each])
        return any(
            name in WORD.findall(self._text, b.opens, b.end)
            for b in bodies
            if self._text.find(name, b.opens, b.end) >= 0
        )

    def has(self, file: str) -> bool:
        """Whether a file is among what is included."""
        return f'/{file}" 1\n' in self.said

    @cached_property
    def _parts(self) -> tuple[str, str]:
        """The definitions and includes of the command line, and those of the file."""
        _, rest = _COMMAND_LINE.split(self.said, maxsplit=1)
        before, _, own = rest.partition(f'\n# 1 "{self._name}"\n')
        return before, own

    @cached_property
    def _name(self) -> str:
        return self.said.partition("\n")[0].partition('"')[2].removesuffix('"')

    @cached_property
    def _count(self) -> int:
        return int(self._parts[1].rpartition(f"{_COUNT} ")[2])

    @cached_property
    def _text(self) -> str:
        # A directive has a line of its own.
        return _MACRO.sub("", self._parts[1]).rpartition(_COUNT)[0]

    @cached_property
    def _macros(self) -> dict[str, str]:
        """The last definition of each macro, or that it has none any more."""
        return {m[1]: m[0] for part in self._parts for m in _MACRO.finditer(part)}

    @cached_property
    def _defined(self) -> str:
        """The definitions of all macros."""
        return "".join(f"{line}\n" for line in self._macros.values())

    @cached_property
    def _undefined(self) -> str:
        """Directives that undefine macros from before the file: preprocessed text must not be preprocessed again."""
        last = {m[1]: m[0] for m in _MACRO.finditer(self._parts[0])}
        names = [name for name, line in last.items() if line.startswith("#define")]
        return "".join(f"#undef {name}\n" for name in names)

    @cached_property
    def _functions(self) -> list[_Function]:
        return list(_functions(self._text))

    @cached_property
    def _bodies(self) -> dict[str, list[_Function]]:
        found: dict[str, list[_Function]] = {}
        for each in self._functions:
            found.setdefault(each.name, []).append(each)
        return found

    @cached_property
    def _known(self) -> Set[str]:
        return self._bodies.keys() | self._macros.keys()

    @cached_property
    def _names(self) -> str:
        return "".join(f"\n{name}" for name in self._known) + "\n"

    @cached_property
    def _outside(self) -> set[str]:
        """The functions that are named outside of those that may be left out."""
        starts = [*(each.start for each in self._functions), len(self._text)]
        ends = [0, *(each.end for each in self._functions)]
        parts = (self._text[a:b] for a, b in zip(ends, starts, strict=True))
        return set(WORD.findall(" ".join(parts))) & self._bodies.keys()

    def _uses(self, name: str) -> set[str]:
        """The functions and macros that a function or a macro may use."""
        if name not in self._used:
            line = self._macros.get(name, "")
            found = set(WORD.findall(line)) & self._known
            for each in self._bodies.get(name, ()):
                words = WORD.findall(self._text, each.opens, each.end)
                found |= set(words) & self._bodies.keys()
            for part in (part for both in _PASTED.findall(line) for part in both):
                found.update(_lines_with(part, self._names) if part else ())
            self._used[name] = found
        return self._used[name]

    def _without(self, used: set[str]) -> Iterator[str]:
        """The text without other functions."""
        at = 0
        for each in self._functions:
            if each.name not in used:
                yield self._text[at : each.start]
                # Places are given before each function, and after what is no longer there.
                yield "".join(_LINE.findall(self._text, each.start, each.end))
                at = each.end
        yield self._text[at:]


def referred(assembly: str) -> set[str]:
    """The words in the instructions and addresses of what gcc writes with -S, not those of its debug information."""
    return set(WORD.findall(" ".join(_INSTRUCTION.findall(assembly))))


def _functions(text: str) -> Iterator[_Function]:
    """The inline functions that a preprocessed text defines, in order."""
    end = 0
    while (opens := text.find("{", end)) >= 0:
        before, end = end, _end(text, opens)
        start = max(text.rfind(";", before, opens) + 1, before)
        head = text[start:opens].rstrip()
        if head.endswith(")") and _INLINE.search(head):
            name = head[: _opening(head)].split()[-1].lstrip("*")
            if name.isidentifier():
                yield _Function(name, start, opens, end)


def _opening(head: str) -> int:
    """The parenthesis that opens the parameters at the end of a header."""
    depth, at = 0, len(head)
    while at:
        at = max(head.rfind("(", 0, at), head.rfind(")", 0, at), 0)
        depth += (head[at] == ")") - (head[at] == "(")
        if not depth:
            break
    return at


def _end(text: str, opens: int) -> int:
    """The end of a block."""
    if text.startswith("{\n", opens):
        # As the kernel is written
        end = text.find("\n}", opens) + 2
        if text.count("{", opens, end) == text.count("}", opens, end):
            return end
    depth = 0
    for found in _BRACE.finditer(text, opens):
        depth += (found[0] == "{") - (found[0] == "}")
        if not depth:
            return found.end()
    return len(text)


def _lines_with(part: str, text: str) -> Iterator[str]:
    """The lines of a text with a part, much sooner than by a pattern."""
    at = text.find(part)
    while at >= 0:
        end = text.index("\n", at)
        yield text[text.rindex("\n", 0, at) + 1 : end]
        at = text.find(part, end)
