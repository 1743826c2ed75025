# SPDX-License-Identifier: GPL-2.0
"""Find counters that a change makes narrower: no run is long enough to show where they overflow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hotcocci.c.integers import integer
from hotcocci.c.source import NAME, NUMBER, Token
from hotcocci.plural import count
from hotcocci.proof.execution.differing import Text

MASK = re.compile(r"0[xX]0*[fF]+[uUlL]*$")
LOOP = re.compile(r"for$|while$|do$|goto$|\w*for_each\w*$")


@dataclass
class _Widths:
    """The integers of a function, or of a file outside of them (``name`` is empty), in bytes."""

    name: str
    variables: dict[str, int] = field(default_factory=dict)
    # Casts by their type, and masks by their number
    cuts: Counter[str] = field(default_factory=Counter)
    loops: bool = False


def narrower(old: Text, new: Text, pointer: int) -> str:
    """What is narrower in a function with a loop, or outside functions; empty if nothing is.

    ``pointer`` is the size of a pointer in bytes.
    """
    before, after = _widths(old, pointer), _widths(new, pointer)
    for name, now in after.items():
        was = before.get(name, _Widths(name))
        if name and not (was.loops or now.loops):
            continue
        for variable, size in now.variables.items():
            known = was.variables.get(variable, size)
            if size < known:
                return f"{variable} has {count(size, 'byte')} instead of {known}"
        gone = {v: s for v, s in was.variables.items() if v not in now.variables}
        fresh = {v: s for v, s in now.variables.items() if v not in was.variables}
        if gone and fresh and min(fresh.values()) < max(gone.values()):
            narrow, wide = (
                min(fresh, key=fresh.__getitem__),
                max(gone, key=gone.__getitem__),
            )
            return f"{narrow} has {count(fresh[narrow], 'byte')}, and {wide} had {gone[wide]}"
        more = now.cuts - was.cuts
        if more:
            return f"{min(more)} may cut a number"
    return ""


def _widths(text: Text, pointer: int) -> Mapping[str, _Widths]:
    found: dict[str, _Widths] = {}
    code = [t for t in text.tokens if not t.text.lstrip().startswith("#")]
    for at, token in enumerate(code):
        owner = text.pieces.owner.get(token.start)
        name = "" if owner is None else text.pieces.all[owner].function
        own = found.setdefault(name, _Widths(name))
        own.loops = own.loops or LOOP.match(token.text) is not None
        if token.kind == NUMBER and MASK.match(token.text):
            own.cuts[token.text] += 1
        if token.kind == NAME and (at == 0 or code[at - 1].kind != NAME):
            _declared(code, at, own, pointer)
    return found


def _declared(code: Sequence[Token], at: int, own: _Widths, pointer: int) -> None:
    """Record the variables of a declaration, or the type of a cast, that begins at a token."""
    words: list[str] = []
    size = 0
    for end in range(at, min(at + 5, len(code))):
        if code[end].kind != NAME:
            break
        kind = integer(" ".join([*words, code[end].text]))
        if kind is None and code[end].text not in ("const", "volatile", "static"):
            break
        if code[end].text != "static":
            words.append(code[end].text)
        size = (kind.sizes[2 if pointer == 8 else 0]) if kind is not None else size
    else:
        return
    if not size:
        return
    if code[end].text == ")" and at and code[at - 1].text == "(":
        if size < 8:
            own.cuts[f"({' '.join(words)})"] += 1
        return
    for name in _names(code, end):
        own.variables[name] = size


def _names(code: Sequence[Token], at: int) -> Iterator[str]:
    """The names of declarators that are no pointers, up to the end of a declaration or parameter."""
    depth = 0
    begins = True
    for token in code[at:]:
        if depth == 0 and token.text in (";", ")", "{", "}"):
            return
        if begins and token.kind == NAME:
            yield token.text
        begins = depth == 0 and token.text == ","
        depth += (token.text in "([{") - (token.text in ")]}")
