# SPDX-License-Identifier: GPL-2.0
"""UA201: find the copies of scalars in a file, and the accesses that replace them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hotcocci.c.syntax import innermost
from hotcocci.findings import Facts
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import COPIES, Copy, copies_of, lvalue
from hotcocci.rewrite.copies.small import (
    SCALAR,
    contexts,
    kind_of,
    of_constant_sizes,
    with_resolved_types,
)
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import SCOPED, Options
from hotcocci.rewrite.prefilter import may_hold_scalar_copy
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.calls import Decided, decided
from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua201_scalar_copy import RULE
from hotcocci.rules.ua201_scalar_copy.scalars import Scalar, is_wide, judge_scalar
from hotcocci.rules.ua201_scalar_copy.typed_pointer import Judged, with_typed_pointers

# What keeps a copy that looks to a reader like the others of its function
_LIKE = frozenset({"unaligned", "size-differs", "type-unknown", "side-effect-argument"})
# A classic window of two saves nothing on most machines: x86 has an LFENCE in it.
_LEAST, _LEAST_SCOPED = 3, 2
# *(u32 *)&menu[i]
_CAST = re.compile(r"\*\s*\(+[^()&]*\*\s*\)")
# buf[0]
_FIRST = re.compile(r"(\w+)\[0\]")


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every copy of a scalar's size, and the accesses that can replace one."""
    judged: list[Judged] = []
    for context in contexts(text, of_constant_sizes(facts), options):
        copies = with_resolved_types(copies_of(context))
        alone = [(c, judge_scalar(c)) for c in copies if kind_of(c) == SCALAR]
        typed = with_typed_pointers(alone, context)
        judged += _with_decisions(_alike(typed), context)
    return decided(RULE, judged)


def _alike(judged: Sequence[Judged]) -> Sequence[Judged]:
    """Leave all copies of a function alone where another one like them has to stay.

    One of eight bytes that has to stay, as 32-bit processors cannot fetch them, is like those of eight bytes.
    """
    refusals = [v for _, v in judged if isinstance(v, Refusal)]
    stays = next((v for v in refusals if v.reason in _LIKE), None)
    wide = next((v for v in refusals if v.reason == "u64-arm32"), None)
    found: list[Judged] = []
    for copy, verdict in judged:
        like = stays or (wide if is_wide(copy) else None)
        if like is not None and isinstance(verdict, Scalar):
            detail = f"the copy at line {like.line}, which is like it, has to stay: {RULE.meaning(like.reason)}"
            verdict = Refusal("other-stays", copy.line, detail)
        found.append((copy, verdict))
    return found


def _with_decisions(judged: Sequence[Judged], context: Context) -> list[Judged]:
    """Ask whether copies in a row are a window, and whether an object that is cast should have the type.

    A function asks as a whole about its first row, and about eight bytes that stay: half of its copies are not
    what anybody wants.
    """
    least = _LEAST_SCOPED if context.options.api == SCOPED else _LEAST
    rows = [
        f"consider one window for lines {row[0].line} to {row[-1].line}"
        for row in _rows([copy for copy, v in judged if isinstance(v, Scalar)])
        if len(row) >= least and context.options.gain_arches
    ]
    wide = [
        f"line {v.line} stays a copy of eight bytes: acceptable?"
        for _, v in judged
        if isinstance(v, Refusal) and v.reason == "u64-arm32"
    ]
    found: list[Judged] = []
    for copy, verdict in judged:
        if isinstance(verdict, Scalar):
            object_ = squeeze(lvalue(copy))
            casts = [f"consider a variable of that type instead of {object_}"]
            own = casts if _CAST.match(object_) else _single(copy, object_)
            verdict = replace(verdict, decisions=(*rows[:1], *wide[:1], *own))
        found.append((copy, verdict))
    return found


def _single(copy: Copy, object_: str) -> list[str]:
    """Ask about an array of one element, which was one for the sake of the copy, as in cw1200_wsm_dumps()."""
    first = _FIRST.fullmatch(object_)
    if first is None:
        return []
    for declaration in copy.context.declared:
        words = " ".join(token.text for token in declaration)
        if re.search(rf"\b{first[1]} \[ 1 \]", words):
            return [f"consider a scalar {first[1]}"]
    return []


def _rows(copies: Sequence[Copy]) -> list[list[Copy]]:
    rows: list[list[Copy]] = []
    for copy in copies:
        if rows and _is_row(rows[-1][-1], copy):
            rows[-1].append(copy)
        else:
            rows.append([copy])
    return rows


def _is_row(one: Copy, two: Copy) -> bool:
    """Whether two copies go the same way with members of one object, in one condition or a statement and the next."""
    if one.direction != two.direction:
        return False
    first, second = _base(one), _base(two)
    if first.key != second.key or {first.place, second.place} != {bases.FIELD}:
        return False
    function = one.context.function
    before, after = (innermost(function, copy.start) for copy in (one, two))
    siblings = before.parent.children if before.parent is not None else []
    return before is after or after in siblings[siblings.index(before) + 1 :][:1]


def _base(copy: Copy) -> bases.Base:
    user = {name for name, type_ in copy.variables.items() if "__user" in type_}
    text = copy.context.source.text
    return bases.find_base(text, copy.user, frozenset(user), frozenset())


IMPLEMENTATION = Implementation(may_hold_scalar_copy, decide, COPIES, uses_hotness=True)
