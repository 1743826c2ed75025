# SPDX-License-Identifier: GPL-2.0
"""What one file says of who calls whom: its functions, their calls, and who else may call them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hotcocci.heat.blocks import NAMED, calls_of, of_several
from hotcocci.heat.entries import DEFINED, DISPATCHED, REGISTERED

INIT = "__init"
"""What an init or exit function is entered by."""

# Most patterns begin with a literal, and those for a name before a bracket are read backwards: a search
# for a name, which may begin anywhere, takes twenty times as long.
_NOT_CODE = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'""",
    re.S,
)
_DEFINING = re.compile(r"(\w*(?:DEFINE|CALL)\w*)\(\s*(\w+)")
# What a system call of 32-bit programs has before its name
OF_COMPAT = "compat_sys_"
_SYSTEM_CALL = re.compile(r"(COMPAT_)?\w*SYSCALL\w*_DEFINE\d")
_NAME = re.compile(
    r"\b(?!__attribute__|__printf|__scanf|__aligned|__section|__must_hold|__acquires|__releases|__alloc_size)"
    r"([A-Za-z_]\w*)\s*\("
)
_STRUCT = re.compile(r"struct (\w+) \*?\w+(?:\s*\[[^\]]*\])*[^=;{}()]*=\s*\{")
_SLOT = re.compile(r"\.(\w+)\s*=\s*&?([A-Za-z_]\w*)\s*[,;}\n]")
_ASSIGNED = re.compile(r"[>.](?:(?<=->)|(?<=\.))(\w+)\s*=\s*&?([A-Za-z_]\w*)\s*[,;}\n]")
_ARRAY = re.compile(r"\]\s*\)?\s*(?:\([^(){};]*\)\s*)?=\s*\{")
_BACKWARDS = re.compile(r"\s*(\w+)")
_ROW = re.compile(r"\(([A-Z][A-Z0-9_]+)\s*,\s*&?([a-z_]\w*)\s*[,)]")
_MENTIONED = re.compile(r"[,;)}]\s*(\w*[A-Za-z_])\b")
_MACRO = re.compile(
    r"\n#[ \t]*define[ \t]+(\w+)\([^)\n]*\)([^\\\n]*(?:\\.[^\\\n]*)*)", re.S
)
_INCLUDED = re.compile(r'^#\s*include\s+"([^"\n]+\.c)"', re.M)
_REGISTERED = re.compile(rf"\b({'|'.join(REGISTERED)})\s*\(([^;]*);")
_DISPATCHES = re.compile(rf"->({'|'.join(DISPATCHED)})\b")
_CALLED = re.compile(r"\( ?(\w*[a-z_])(>-|\.)?")
_WORD = re.compile(r"[a-z_]\w*")
_OF_HEAD = 600


@dataclass
class _Function:
    """A function or a macro with its calls; see `calls_of`. ``entry`` is what defines it or dispatches to it."""

    name: str
    static: bool
    calls: dict[str, int]
    commands: dict[str, str] = field(default_factory=dict)
    fatal: bool = False
    entry: str = ""


@dataclass
class _Read:
    """What has been read of a file."""

    functions: list[_Function] = field(default_factory=list)
    slots: list[tuple[str, str, str]] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    registered: list[tuple[str, str]] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Index:
    """What one file says, in few strings: a tree has 740,000 functions and three million calls.

    ``names`` are its functions and macros, the first ``visible`` of which other files may call.
    ``calls`` are theirs, a line for each with a space before each call, and ``codes`` the codes of all
    in turn, in hexadecimal; see `calls_of`. ``fatal`` are the numbers of functions that are error paths
    themselves, ``entries`` numbers with what defines the function or dispatches to it. ``commands`` are
    calls under the label of an ioctl command, with the word of that, and the code. ``slots`` are
    structure, slot and function with dots between, the structure empty where it is not known; ``rows``
    are ioctl command and function; ``registered`` the function called and the handler; ``includes``
    the C files included, relative to this one.
    """

    names: str
    visible: int
    calls: str
    codes: str
    fatal: Sequence[int]
    entries: Sequence[tuple[int, str]]
    commands: Sequence[tuple[str, str, int]]
    slots: str
    rows: Sequence[tuple[str, str]]
    registered: Sequence[tuple[str, str]]
    includes: Sequence[str]


def index(text: str) -> Index:
    """Read the text of a file."""
    made = _read(text)
    functions = sorted(made.functions, key=lambda function: function.static)
    return Index(
        " ".join(f.name for f in functions),
        sum(not f.static for f in functions),
        "\n".join("".join(f" {name}" for name in f.calls) for f in functions),
        bytes(code for f in functions for code in f.calls.values()).hex(),
        [number for number, f in enumerate(functions) if f.fatal],
        [(number, f.entry) for number, f in enumerate(functions) if f.entry],
        [(n, word, f.calls[n]) for f in functions for n, word in f.commands.items()],
        " ".join(map(".".join, made.slots)),
        made.rows,
        made.registered,
        made.includes,
    )


def without_comments(text: str) -> str:
    """A text without comments and strings."""
    return _NOT_CODE.sub("", text)


def _read(text: str) -> _Read:
    made = _Read()
    has_code = "\n{" in text or "{\n" in text
    # Headers of registers, 400 MB of a tree, define numbers alone.
    defines = text.find("#define")
    if not has_code and (defines < 0 or text.find("(", defines) < 0):
        return made
    code = without_comments(text)
    if has_code:
        if '.c"' in text:
            made.includes = [os.path.normpath(n) for n in _INCLUDED.findall(text)]
        _functions(code, made)
    made.functions += _macros(code)
    return made


def _functions(code: str, made: _Read) -> None:
    """Add the functions of a file without comments, and what its initialisers say."""
    bodies = []
    outside = []
    for chunk in code.split("\n}"):
        at = chunk.rfind("\n{")
        named = _named(chunk[max(at - _OF_HEAD, 0) : at]) if at >= 0 else None
        if named is not None:
            bodies.append((*named, chunk[at + 2 :]))
            chunk = chunk[:at]
        _initialisers(chunk, made)
        outside.append(chunk)
    own = {name for name, *_ in bodies}
    if not own:
        return
    backwards = {name[::-1]: name for name in own}
    tables = {
        f"{name}[": elements
        for chunk in outside
        for name, text in _arrays(chunk)
        if (elements := sorted(own.intersection(_WORD.findall(text))))
    }
    for name, static, entry, body in bodies:
        calls, commands, fatal = calls_of(body)
        for start, elements in tables.items():
            if start in body:
                calls = dict.fromkeys(elements, of_several(len(elements))) | calls
        mentioned = backwards.keys() & set(_MENTIONED.findall(body[::-1]))
        for other in sorted(map(backwards.__getitem__, mentioned)):
            if other != name and other not in calls:
                calls[f"&{other}"] = NAMED
        if mentioned:
            made.slots += [("", s, f) for s, f in _ASSIGNED.findall(body) if f in own]
        if not REGISTERED.keys().isdisjoint(calls):
            for kind, arguments in _REGISTERED.findall(body):
                handlers = own.intersection(_WORD.findall(arguments))
                made.registered += [(kind, handler) for handler in sorted(handlers)]
        if not entry and "IOC" in body:
            found = _DISPATCHES.search(body)
            entry = found[1] if found else ""
        made.functions.append(_Function(name, static, calls, commands, fatal, entry))


def _named(head: str) -> tuple[str, bool, str] | None:
    """The name of the function whose body follows, whether it is static, and what it is entered by."""
    start = max(head.rfind(end) for end in (";\n", "}\n", "\n\n"))
    text = head[start + 1 :] if start >= 0 else head
    if "\n#" in text:
        text = "\n".join(line for line in text.split("\n") if line[:1] != "#")
    if "DEFINE" in text or "CALL" in text:
        defining = _DEFINING.search(text)
        if defining:
            macro, name = defining.groups()
            call = _SYSTEM_CALL.fullmatch(macro)
            if call:
                return f"{OF_COMPAT}{name}" if call[1] else f"sys_{name}", False, ""
            return name, False, macro if macro in DEFINED else ""
    name = _NAME.search(text)
    if name is None or name[1] == "while" or "=" in text[: name.start()]:
        return None
    before = text[: name.start()]
    return (
        name[1],
        "static" in before,
        INIT if "__init" in before or "__exit" in before else "",
    )


def _arrays(chunk: str) -> Iterator[tuple[str, str]]:
    """The names and elements of the arrays that a piece of text initialises."""
    if "]" in chunk and "{" in chunk:
        for match in _ARRAY.finditer(chunk):
            at = match.start()
            head = chunk[max(at - _OF_HEAD, 0) : at]
            opening = head.find("[", head.rfind("]") + 1)
            name = _BACKWARDS.match(head[:opening][::-1]) if opening >= 0 else None
            if name is not None:
                yield name[1][::-1], chunk[match.end() :].partition("};")[0]


def _initialisers(chunk: str, made: _Read) -> None:
    """Add what the initialisers in a piece of text put into slots and tables."""
    if "." in chunk and "=" in chunk:
        starts = [(match.start(), match[1]) for match in _STRUCT.finditer(chunk)]
        kind = ""
        for match in _SLOT.finditer(chunk):
            while starts and starts[0][0] < match.start():
                kind = starts.pop(0)[1]
            slot, function = match.groups()
            if not function.isupper():
                made.slots.append((kind, slot, function))
    if "IOC" in chunk or "_CMD_" in chunk:
        made.rows += _ROW.findall(chunk)


def _macros(code: str) -> Iterator[_Function]:
    """The macros that call something, as functions."""
    for name, body in _MACRO.findall(f"\n{code}"):
        if "(" not in body:
            continue
        calls = {
            (f">{callee[::-1]}" if arrow else callee[::-1]): 0
            for callee, arrow in _CALLED.findall(body[::-1])
            if len(callee) > 3
        }
        calls.pop(name, None)
        if calls:
            # Seen by other files if in a header, as all is that a header defines.
            yield _Function(name, True, calls)
