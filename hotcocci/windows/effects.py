# SPDX-License-Identifier: GPL-2.0
"""Effects of called macros and inline functions on user memory: directions and parameters; UW25."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c import functions
from hotcocci.c.constants import view
from hotcocci.c.expression import Call, root
from hotcocci.c.flow import Graph
from hotcocci.c.functions import plain_code
from hotcocci.c.headers import arch_of, reachable
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import NAME, Token, called, closing, expression_at, split
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.tree.kernel import UACCESS, defines
from hotcocci.tree.source import text_beside
from hotcocci.windows.events import ACCESSORS, BEGINS, SCOPES, permits
from hotcocci.windows.origins import CONVERSIONS
from hotcocci.windows.outcome import OPEN, Outcome, Violation

# Of the compiler, or defined by assertions and assembly that touch no user memory
_HARMLESS = frozenset(
    "access_ok IS_ENABLED READ_ONCE WRITE_ONCE ARRAY_SIZE BUILD_BUG_ON barrier typeof __typeof__ "
    "sizeof_field offsetof defined".split()
)
_BUILTIN = "__builtin_"
_ASM = re.compile(r"_*asm(?:_\w+)?_*")
# Nested macros and functions; unsafe_save_user_regs() in powerpc's signal_32.c needs 5
_DEPTH = 8
_MOST_CALLS = 4
# An address that an asm statement may fault on is one of user memory.
_FAULTS = frozenset(
    {"EX_TABLE", "_ASM_EXTABLE", "_ASM_EXTABLE_UA", "_ASM_EXTABLE_TYPE"}
)
_CHECKS = frozenset({"access_ok", "__access_ok", *BEGINS, *SCOPES})
# ``*p = value;`` as a statement
_STORE = re.compile(r"(?:[;{})]|\belse) \* (\w+) = ([^;]*);")
_DOES = {READ: "reads", WRITE: "writes"}


def directions(root: Path, file: str, name: str) -> frozenset[str] | None:
    """The directions of all accesses that a call in a file makes; None if they are not known.

    ``file`` is relative to ``root``. A name that is a macro or a function with a definition in
    sight is followed into all its definitions; assembly and calls through pointers are unknown.
    """
    return _directions(root, file, name, _DEPTH)


@lru_cache(maxsize=8192)
def _directions(root: Path, file: str, name: str, depth: int) -> frozenset[str] | None:
    accessor = ACCESSORS.get(name)
    if accessor is not None:
        both = accessor.direction == READ_WRITE
        return frozenset({READ, WRITE} if both else {accessor.direction})
    if name in _HARMLESS or name.startswith(_BUILTIN):
        return frozenset()
    defined = list(definitions(root, file, name)) if depth and name else []
    if not defined:
        return None
    found: set[str] = set()
    for _, body in defined:
        if _opaque(body):
            return None
        for inner in {token.text for token in called(body)} - {name}:
            made = _directions(root, file, inner, depth - 1)
            if made is None:
                return None
            found |= made
    return frozenset(found)


def _opaque(body: tuple[Token, ...]) -> bool:
    """Whether a body has assembly, or calls something other than a name."""
    if any(t.kind == NAME and _ASM.fullmatch(t.text) for t in body):
        return True
    words = [token.text for token in body]
    members = zip(words, words[1:], words[2:])
    if any(one in ("->", ".") and after == "(" for one, _, after in members):
        return True
    pointers = (words[i : i + 2] == ["(", "*"] for i in range(len(words)))
    called_pointers = (words[i + 3 : i + 5] == [")", "("] for i in range(len(words)))
    return any(p and c for p, c in zip(pointers, called_pointers, strict=True))


def definitions(
    root: Path, file: str, name: str
) -> Iterator[tuple[tuple[str, ...], tuple[Token, ...]]]:
    """The parameters and the body of each definition of a macro or function that a file may see.

    ``guard(mutex)`` is what DEFINE_GUARD() and its variants define.
    """
    if name.startswith("guard("):
        yield from _guards(root, file, name[len("guard(") : -1])
        return
    for header in reachable(root, file):
        if name not in header.text:
            continue
        if name in header.defines:
            for macro in view(header.path).definitions(name):
                # The name that an alias stands for is called with the arguments after it.
                called_as = "()" if macro.parameters is None else ""
                yield macro.parameters or (), plain_code(f"{macro.body}{called_as}")
        yield from functions.definitions(header.text, name)


def _guards(
    root: Path, file: str, kind: str
) -> Iterator[tuple[tuple[str, ...], tuple[Token, ...]]]:
    """The functions that each definition of a guard of this kind runs (include/linux/cleanup.h)."""
    defined = re.compile(
        rf"^DEFINE_(?:LOCK_)?GUARD(?:_[01])?(?=\(\s*{re.escape(kind)}\s*,)",
        re.MULTILINE,
    )
    for header in reachable(root, file):
        for match in defined.finditer(header.text) if kind in header.text else ():
            end = header.text.find("\n\n", match.end())
            tokens = plain_code(header.text[match.end() : end if end >= 0 else None])
            last = closing(tokens, 0)
            yield (), tokens[1:last]


def accessed_parameters(root: Path, file: str, name: str) -> frozenset[int]:
    """The indices of the parameters that all definitions in sight access user memory through.

    One that a definition checks itself is left out. ``file`` is relative to ``root``.
    """
    return _accessed(root, file, name, _MOST_CALLS)


@lru_cache(maxsize=4096)
def _accessed(root: Path, file: str, name: str, depth: int) -> frozenset[int]:
    if depth == 0 or name in _CHECKS or name in ACCESSORS:
        return frozenset()
    found: list[frozenset[int]] = []
    for parameters, body in definitions(root, file, name):
        used = set()
        for place, parameter in enumerate(parameters):
            if parameter and _uses(root, file, body, parameter, name, depth):
                used.add(place)
        found.append(frozenset(used))
    return frozenset.intersection(*found) if found else frozenset()


def _uses(
    root: Path,
    file: str,
    body: tuple[Token, ...],
    parameter: str,
    name: str,
    depth: int,
) -> bool:
    """Whether a body accesses user memory through a parameter, or a copy of it, without a check."""
    copies = _copies(body, parameter)
    accessed = False
    for function, arguments in _calls(body):
        given = [i for i, a in enumerate(arguments) if _base(a) in copies]
        if function in _CHECKS and 0 in given:
            return False
        if function in ACCESSORS:
            accessed |= ACCESSORS[function].pointer in given
        elif function.startswith(("asm", "__asm")):
            words = {t.text for a in arguments for t in a}
            accessed |= bool(words & copies) and not words.isdisjoint(_FAULTS)
        elif given and function != name:
            accessed |= bool(_accessed(root, file, function, depth - 1) & set(given))
    return accessed


@lru_cache(maxsize=4096)
def replaced_parameters(root: Path, file: str, name: str) -> frozenset[int]:
    """The indices of the parameters that all definitions in sight store a value through, and none of what was there."""
    found: list[frozenset[int]] = []
    for parameters, body in definitions(root, file, name):
        text = " ".join(token.text for token in body)
        stored: dict[str, list[str]] = {}
        for parameter, value in _STORE.findall(f"; {text}"):
            stored.setdefault(parameter, []).append(value)
        found.append(
            frozenset(
                place
                for place, parameter in enumerate(parameters)
                if parameter in stored
                and not any(parameter in v.split() for v in stored[parameter])
            )
        )
    return frozenset.intersection(*found) if found else frozenset()


def _copies(body: tuple[Token, ...], parameter: str) -> frozenset[str]:
    """The parameter and the variables that are set to an address in it."""
    copies = {parameter}
    for index, token in enumerate(body):
        if token.text == "=" and index and body[index - 1].kind == NAME:
            value = expression_at(body, index + 1)
            if not {t.text for t in called(value)} - CONVERSIONS:
                if _base(value) in copies:
                    copies.add(body[index - 1].text)
    return frozenset(copies)


def _base(tokens: tuple[Token, ...]) -> str:
    """The variable that an expression is an address in, or empty."""
    text = " ".join(token.text for token in tokens)
    base = root(parse_text(text))
    while isinstance(base, Call) and len(base.arguments) == 1:
        base = root(base.arguments[0])
    return base.name


def _calls(body: tuple[Token, ...]) -> Iterator[tuple[str, list[tuple[Token, ...]]]]:
    """The calls in a body with their arguments; an asm statement is one."""
    for index, (token, follower) in enumerate(zip(body, body[1:])):
        opening = index + 1
        if token.kind == NAME and follower.text == "goto" and "asm" in token.text:
            opening += 1
        if token.kind != NAME or body[opening : opening + 1] == ():
            continue
        if body[opening].text == "(":
            last = closing(body, opening)
            if last is not None:
                yield token.text, split(body[opening + 1 : last], ",")


@dataclass(frozen=True)
class Wide:
    """A begin or scope of both directions at an offset, whose windows use only one."""

    at: int
    name: str
    direction: str

    @property
    def narrow(self) -> str:
        """The begin or scope of that direction."""
        return narrowed(self.name, self.direction)


def against(outcome: Outcome, root: Path, file: str) -> Iterator[Violation]:
    """Calls of a header's helpers that access user memory against the direction of the window."""
    for call in sorted(outcome.open_calls, key=lambda c: (c.at, c.begin, c.name)):
        narrow = call.flavour in _DOES
        for made in narrow and directions(root, file, call.name) or ():
            if not permits(call.flavour, made):
                said = f"{call.name}() {_DOES[made]} in a window for the other direction only"
                yield Violation("UW04", call.at, said, call.begin)


def wider(
    graph: Graph, outcome: Outcome, root: Path, file: str, one_flavour: bool
) -> Iterator[Violation]:
    """Begins of both directions in a function whose windows use only one.

    ``one_flavour`` is true if the tree has a single masked begin for reads and writes.
    """
    for wide in wide_windows(graph, outcome, root, file, one_flavour):
        said = f"{wide.name}() {described(wide)}: use {wide.narrow}()"
        yield Violation("UW25", wide.at, said)


def described(wide: Wide) -> str:
    """The fault of a begin, for a message that begins with it."""
    return f"opens both directions, but the window only {_DOES[wide.direction]}"


def wide_windows(
    graph: Graph, outcome: Outcome, root: Path, file: str, one_flavour: bool
) -> Iterator[Wide]:
    """The windows of `wider`, in source order."""
    if not _told_apart(root, file):
        return
    for begin, name in sorted(_wide(graph, one_flavour)):
        used = used_directions(outcome, begin, root, file)
        if used is not None and len(used) == 1:
            yield Wide(begin, name, next(iter(used)))


def used_directions(
    outcome: Outcome, begin: int, root: Path, file: str
) -> frozenset[str] | None:
    """The directions in which the windows opened at an offset are used; None if not known."""
    if any(e.window.kind == OPEN and e.window.at == begin for e in outcome.exits):
        return None  # The caller uses it as well.
    found: set[str] = set()
    for name in sorted(name for at, name in outcome.uses if at == begin):
        made = directions(root, file, name)
        if made is None:
            return None
        found |= made
    return frozenset(found)


def narrowed(name: str, direction: str) -> str:
    """The begin, end or scope of one direction that corresponds to one of both."""
    if "_rw_" in name:
        return name.replace("_rw_", f"_{direction}_")
    return name.replace("user_access_", f"user_{direction}_access_")


def _wide(graph: Graph, one_flavour: bool) -> Iterator[tuple[int, str]]:
    """The begins and scopes of both directions, with their offsets."""
    for _, part in graph.expressions():
        begin = BEGINS.get(part.callee)
        if begin is not None and begin.flavour == READ_WRITE:
            if not (begin.masked and one_flavour):
                yield part.start, part.callee
    for scope in graph.scopes:
        if SCOPES.get(scope.name) == READ_WRITE:
            yield scope.statement.start, scope.name


@lru_cache(maxsize=1024)
def _told_apart(root: Path, file: str) -> bool:
    """Whether the tree, or the architecture of the file, has a begin for each direction (5.7 and newer)."""
    own = arch_of(file)
    header = root / (f"arch/{own}/include/asm/uaccess.h" if own else UACCESS)
    return defines(text_beside(header), "user_read_access_begin")
