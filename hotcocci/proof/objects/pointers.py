# SPDX-License-Identifier: GPL-2.0
"""Read the signatures of indirect calls from gcc's intermediate code.

Debug information does not give the type of a pointer where it is called. gcc can dump its last form
before machine code (-fdump-tree-optimized), in which such a call is ``x_10 = _2 (k_8(D), 5, _4);``
with its line, and every variable is declared with its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from hotcocci.c.model import integer
from hotcocci.proof.changed import Original, as_given
from hotcocci.proof.objects.signatures import Signature, Value

DUMP = "-fdump-tree-optimized-lineno"

FUNCTION = re.compile(r"^;; Function ", re.MULTILINE)
HEADER = re.compile(
    r"^(?:__attribute__.*\n)?\S.*?\w \((?P<parameters>.*)\)\n\{", re.MULTILINE
)
DECLARED = re.compile(r"^  (?P<type>[^=\n]*?[ *])(?P<name>[\w.]+);$", re.MULTILINE)
# gcc names the value of a condition iftmp.1. The type of a function pointer encloses its name: int
# (*<T34f>) (void *, int) _2;
CALL = re.compile(
    r"^ *\[(?P<file>[^]\n]+?):(?P<line>\d+):\d+(?: discrim \d+)?\] "
    r"(?:[^=\n]*? = )?(?P<callee>[\w.]+(?:\(D\))?) \((?P<arguments>.*)\);",
    re.MULTILINE,
)
PLACE = re.compile(r"\[[^][]*:\d+:\d+(?: discrim \d+)?\] ")
SSA = re.compile(r"^(?P<base>[\w.]*?)_(?P<version>\d+)(?:\(D\))?$")


def calls_through_pointers(
    dump: Path, pointer: int, original: Original = as_given
) -> Mapping[tuple[str, int], Signature]:
    """Indirect calls by base name of the file and line; the longest if there are several on a line."""
    found: dict[tuple[str, int], Signature] = {}
    for body in FUNCTION.split(dump.read_text(errors="replace"))[1:]:
        types = _parameters(body)
        types |= {m["name"]: m["type"].strip() for m in DECLARED.finditer(body)}
        for place, signature in _calls(body, types, pointer, original):
            known = found.get(place)
            if known is None or len(known.parameters) < len(signature.parameters):
                found[place] = signature
    return found


def _parameters(body: str) -> dict[str, str]:
    """The types of a function's parameters, from its header."""
    header = HEADER.search(body)
    found = {}
    for each in _split(header["parameters"]) if header else ():
        kind, _, name = each.rpartition(" ")
        found[name] = kind
    return found


def _calls(
    body: str, types: Mapping[str, str], pointer: int, original: Original
) -> Iterator[tuple[tuple[str, int], Signature]]:
    for match in CALL.finditer(body):
        callee = match["callee"]
        if _type(callee, types) is None:
            # The name of a function
            continue
        arguments = _split(PLACE.sub("", match["arguments"]))
        parameters = tuple(_value(each, types, pointer) for each in arguments)
        file, line = match["file"], int(match["line"])
        where = Path(file).name, original(file, line)
        yield where, Signature(parameters, Value(pointer))


def _type(name: str, types: Mapping[str, str]) -> str | None:
    """The type of a variable or temporary, None for anything else."""
    match = SSA.match(name)
    if match is None:
        return types.get(name)
    bare = name.removesuffix("(D)")
    return types.get(bare) or types.get(match["base"])


def _value(argument: str, types: Mapping[str, str], pointer: int) -> Value:
    kind = _type(argument, types)
    if kind is None or "*" in kind:
        # Literals and addresses: the compiler sets the whole register.
        return Value(pointer, 0 if kind or argument.startswith("&") else None)
    kind = kind.replace("const ", "").replace("volatile ", "").strip()
    if kind.startswith(("struct ", "union ")):
        return Value(0, record=True)
    known = integer(kind)
    return Value(known.size or pointer if known is not None else pointer)


def _split(arguments: str) -> list[str]:
    """Split arguments at commas that are not inside brackets or literals."""
    found, depth, quoted, start = [], 0, False, 0
    for at, letter in enumerate(arguments):
        if letter == '"' and arguments[at - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            found.append(arguments[start:at].strip())
            start = at + 1
    last = arguments[start:].strip()
    return [*found, last] if last else found
