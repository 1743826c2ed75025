# SPDX-License-Identifier: GPL-2.0
"""Find memset() of a structure that becomes an initialiser, which need not clear what is between members.

This gcc clears that, too, if it clears the structure first. Others need not: gcc 15 initialises the first member of a
union alone, and kernels ask it for more with -fzero-init-padding-bits=all. Only an empty initialiser clears all (C23).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from hotcocci.c.source import Token
from hotcocci.machine.dwarf import (
    RECORDS,
    bare,
    members,
    name_of,
    origin,
    size_of,
    type_of,
    variables,
)
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.changed import Aligned, Text

PADDING = "an initialiser need not clear what is between and behind members"
_ARRAY = "DW_TAG_array_type"


def cleared(given: Aligned, code: bytes) -> tuple[str, ...]:
    """The functions with a memset() that is an initialiser after the change, whose object is ``code``, sorted.

    Only of what has padding, and of local variables that are passed on by their address. Another architecture may have
    no padding there, so it does not say more of it.
    """
    own, other = (Text(given.file, text) for text in given.texts)
    gone = set(Counter(_memsets(own)) - Counter(_memsets(other)))
    if not gone:
        return ()
    tags = set((_literals(other) - _literals(own)).keys())
    found = {what for what in gone if _is_initialised(other, *what)}
    padded = _padded(code, found, tags) if found or tags else set()
    functions = {function for function, _ in gone & padded}
    return tuple(sorted(functions | {f for f, _ in gone if (f, "") in padded}))


def _memsets(text: Text) -> Iterator[tuple[str, str]]:
    """Each ``memset(&variable, 0`` or ``memset(pointer, 0``, with the function and what is cleared."""
    code = text.tokens
    for at, token in enumerate(code[:-5]):
        if [token.text, code[at + 1].text] == ["memset", "("]:
            name = at + 2 + (code[at + 2].text == "&")
            if [t.text for t in code[name + 1 : name + 3]] == [",", "0"]:
                yield _function(text, token), code[name].text


def _literals(text: Text) -> Counter[tuple[str, str]]:
    """Each ``(struct tag){`` with members, with the function and the tag."""
    code = text.tokens
    return Counter(
        (_function(text, token), code[at + 1].text)
        for at, token in enumerate(code[:-4])
        if token.text in ("struct", "union")
        and [t.text for t in code[at + 2 : at + 4]] == [")", "{"]
        and code[at + 4].text != "}"
    )


def _function(text: Text, token: Token) -> str:
    owner = text.pieces.owner.get(token.start)
    return "" if owner is None else text.pieces.all[owner].function


def _is_initialised(text: Text, function: str, variable: str) -> bool:
    """Whether a variable has an initialiser with members, and a call gets its address."""
    own = [t for t in text.tokens if _function(text, t) == function]
    return _has(own, [variable, "=", "{"], but="}") and any(
        _has(own, [before, "&", variable]) for before in ("(", ",")
    )


def _has(code: Sequence[Token], words: list[str], but: str = "") -> bool:
    size = len(words)
    return any(
        [t.text for t in code[at : at + size]] == words
        and [t.text for t in code[at + size : at + size + 1]] != [but]
        for at in range(len(code))
    )


def _padded(
    code: bytes, wanted: set[tuple[str, str]], tags: set[tuple[str, str]]
) -> set[tuple[str, str]]:
    """The variables of functions whose type has padding, or is a union, in an object with debug information.

    For a literal of such a type, by its tag, a function has a variable without a name.
    """
    found = set()
    dwarf = ObjectFile(code).linked().get_dwarf_info(relocate_dwarf_sections=False)
    names = {function for function, _ in wanted}
    for unit in dwarf.iter_CUs():
        for die in unit.get_top_DIE().iter_children():
            if die.tag == "DW_TAG_subprogram" and name_of(die) in names:
                for variable in variables(die):
                    what = name_of(die), name_of(variable)
                    kind, _ = bare(type_of(origin(variable)))
                    if what in wanted and kind is not None and _has_padding(kind):
                        found.add(what)
            elif die.tag in RECORDS and _has_padding(die):
                found |= {(f, "") for f, tag in tags if tag == name_of(die)}
    return found


def _has_padding(kind: Any) -> bool:
    """Whether members leave bytes of a type; those of bit-fields, and of unions, may."""
    if kind.tag == _ARRAY:
        element, _ = bare(type_of(kind))
        return element is not None and _has_padding(element)
    if kind.tag not in RECORDS:
        return False
    if kind.tag != "DW_TAG_structure_type":
        return True
    end = 0
    for _, inner, start, size in members(kind):
        if start != end or _has_padding(inner):
            return True
        end = start + size
    return end != size_of(kind)
