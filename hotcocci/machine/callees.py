# SPDX-License-Identifier: GPL-2.0
"""Small functions of a tree whose callers may load for nothing, read from the source.

acl_permission_check() called current_user_ns() out of line and loaded ``current->cred`` again itself
(Torvalds, 'acl_permission_check: disgusting performance', 2011-05-12); every component of a path loads
``inode->i_sb->s_user_ns`` for make_vfsuid(), which returns at its first test without id mappings.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Call,
    Index,
    Member,
    Opaque,
    Postfix,
    names,
    walk,
)
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import COMMENT, NAME, Token, closing, split, tokenize
from hotcocci.tree.source import decode, read

# Longer functions do not belong in a header.
MOST_LINES = 12
# Called from all of the kernel; other code also calls functions of its own directory.
CORE = tuple(
    "block certs crypto fs init io_uring ipc kernel lib mm net security sound/core virt".split()
)
_HEAD = (
    r"^(?!static\b|typedef\b|return\b|else\b)(?P<head>[A-Za-z_][\w \t*]*[\s*])(?P<name>\w+)"
    r"\((?P<parameters>[^(){};#]*)\)\s*\n\{\n"
)
_SMALL = re.compile(
    _HEAD + rf"(?P<body>(?:(?!\}}|[ \t]*#)[^\n]*\n){{1,{MOST_LINES}}}?)\}}",
    re.MULTILINE,
)
_EXITING = re.compile(
    _HEAD + r"(?:[ \t]+[A-Za-z_][\w \t*,]*;\n)*\s*"
    r"if \((?P<test>[^;{}\n]*)\)\n[ \t]+return\b(?P<value>[^;{}]*);",
    re.MULTILINE,
)
_PARAMETER = re.compile(r"(\w+)\s*$")
_ERROR = re.compile(r"-E[A-Z]|ERR_PTR")
_NOT_SMALL = frozenset("for while do switch case goto asm ++ -- { }".split())
# A test with one of these loads memory, or has an effect.
_NOT_PLAIN = (Call, Index, Member, Opaque, Postfix)


@dataclass(frozen=True)
class Callee:
    """A function that is not inline: where it is defined, and why a caller's loads may be wasted.

    ``small`` is set if it only loads, compares and calls, in a few lines. ``unused`` are the parameters, by number,
    that neither the test nor the value of ``if (test) return …``, with which it may begin, mentions.
    """

    name: str
    file: str
    line: int
    parameters: tuple[str, ...]
    small: bool
    test: str = ""
    unused: tuple[int, ...] = ()


def callees(root: Path, file: str, called: Iterable[str]) -> Mapping[str, Callee]:
    """Those of the called functions that are small or may return at once, by name.

    A name that several files define is left out: the configuration decides which one is called.
    """
    wanted = re.compile(rf"^\w[^\n;]*\b(?:{'|'.join(map(re.escape, called))})\(", re.M)
    found: dict[str, dict[str, Callee]] = {}
    for path in _sources(root, file):
        text = decode(read(path))
        if wanted.search(text):
            name = str(path.relative_to(root))
            for callee in callees_in(name, text):
                found.setdefault(callee.name, {})[name] = callee
    sole = {name: [*each.values()][0] for name, each in found.items() if len(each) == 1}
    return {n: c for n, c in sole.items() if n in called and c.file != file}


def _sources(root: Path, file: str) -> list[Path]:
    """The files that define what a file may call."""
    folders = {root / name for name in (*CORE, str(Path(file).parent))}
    return sorted({p for folder in folders for p in folder.rglob("*.c") if p.is_file()})


def callees_in(file: str, text: str) -> list[Callee]:
    """The functions of a file that are small, or may return at their first test."""
    found: dict[str, Callee] = {}
    for match in (*_SMALL.finditer(text), *_EXITING.finditer(text)):
        if "inline" in match["head"] or match["name"] in found:
            continue
        pieces = map(_PARAMETER.search, match["parameters"].split(","))
        parameters = tuple(piece[1] for piece in pieces if piece)
        exiting = _EXITING.match(text, match.start())
        unused = _unused(exiting, parameters) if exiting is not None else ()
        small = match.re is _SMALL and _only_loads(match["body"])
        if small or unused:
            line = text.count("\n", 0, match.start("name")) + 1
            test = " ".join(exiting["test"].split()) if exiting and unused else ""
            found[match["name"]] = Callee(
                match["name"], file, line, parameters, small, test, unused
            )
    return list(found.values())


def _only_loads(body: str) -> bool:
    """Whether a body loads or calls, and itself changes nothing but its own variables."""
    tokens = tuple(t for t in tokenize(body) if t.kind != COMMENT)
    texts = {t.text for t in tokens}
    if not texts & {"->", "("} or "return" not in texts or texts & _NOT_SMALL:
        return False
    own: set[str] = set()
    for statement in split(tokens, ";"):
        tests, rest = _conditions(statement)
        assignments = [n for n, t in enumerate(rest) if t.text in ASSIGNMENTS]
        if any(t.text in ASSIGNMENTS for t in tests) or len(assignments) > 1:
            return False
        if not rest or rest[0].text == "return":
            if assignments:
                return False
            continue
        target = rest[: assignments[0]] if assignments else rest
        if any(t.kind != NAME and t.text not in ("*", ",") for t in target):
            return False
        if len(target) == 1 and target[0].text not in own:
            return False
        own |= {t.text for t in target}
    return True


def _conditions(
    statement: tuple[Token, ...],
) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The conditions that a statement begins with, and the rest."""
    start = 0
    while start < len(statement) and statement[start].text in ("if", "else"):
        end = closing(statement, start + 1) if statement[start].text == "if" else start
        start = len(statement) if end is None else end + 1
    return statement[:start], statement[start:]


def _unused(match: re.Match[str], parameters: tuple[str, ...]) -> tuple[int, ...]:
    """The parameters that a function does not need if it returns at its first test."""
    test = parse_text(match["test"])
    # An error is not what usually happens.
    if _ERROR.search(match["value"]) or not set(names(test)) & set(parameters):
        return ()
    if any(isinstance(part, _NOT_PLAIN) for part in walk(test)):
        return ()
    mentioned = {t.text for t in tokenize(f"{match['test']} {match['value']}")}
    return tuple(n for n, name in enumerate(parameters) if name not in mentioned)
