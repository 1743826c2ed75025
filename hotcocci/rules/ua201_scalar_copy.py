# SPDX-License-Identifier: GPL-2.0
"""UA201: find the copies of scalars in a file, and the accesses that replace them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.c.expression import ASSIGNMENTS
from hotcocci.c.source import NAME
from hotcocci.c.syntax import declarations, following, innermost
from hotcocci.findings import Edit, Facts
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.calls import Copy, lvalue
from hotcocci.rewrite.instead import Scalar, is_wide, judge_scalar
from hotcocci.rewrite.copies import is_scalar, small_copies
from hotcocci.rewrite.hoisting import fresh_name
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import SCOPED, Options
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.calls import Decided, decided, on_calls
from hotcocci.rules.entry import for_any_program
from hotcocci.rules.rulebook import rule

RULE = rule("UA201")

# What keeps a copy that looks to a reader like the others of its function
_LIKE = frozenset({"unaligned", "size-differs", "type-unknown", "side-effect-argument"})
# A classic window of two saves nothing on most machines: x86 has an LFENCE in it.
_LEAST, _LEAST_SCOPED = 3, 2
# *(u32 *)&menu[i]
_CAST = re.compile(r"\*\s*\(+[^()&]*\*\s*\)")
# buf[0]
_FIRST = re.compile(r"(\w+)\[0\]")
# Two casts are shorter than a declaration.
_LEAST_CASTS = 3
# sparse keeps these apart from integers of their size.
_BITWISE = re.compile(r"(?:const )?__[bl]e\d")

Judged = tuple[Copy, Scalar | Refusal]


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every copy of a scalar's size, and the accesses that can replace one."""
    judged: list[Judged] = []
    of: list[tuple[Context, list[Judged]]] = []
    stays: dict[str, Refusal] = {}
    for context, copies in small_copies(text, facts, options):
        alone = [(c, judge_scalar(c)) for c in copies if is_scalar(c)]
        of.append((context, with_typed_pointers(alone, context)))
        for _, verdict in alone:
            if isinstance(verdict, Refusal) and verdict.reason == "u64-arm32":
                stays.setdefault(for_any_program(context.function.name), verdict)
    for context, typed in of:
        wide = stays.get(for_any_program(context.function.name))
        judged += _with_decisions(_alike(typed, wide), context)
    return decided(RULE, on_calls(judged))


def _alike(judged: Sequence[Judged], wide: Refusal | None) -> Sequence[Judged]:
    """Leave all copies of a function alone where another one like them has to stay.

    One of eight bytes that has to stay (``wide``), as 32-bit processors cannot fetch them, is like those of
    eight bytes, also of a function for other programs: sendfile64().
    """
    refusals = [v for _, v in judged if isinstance(v, Refusal)]
    stays = next((v for v in refusals if v.reason in _LIKE), None)
    found: list[Judged] = []
    for copy, verdict in judged:
        like = stays or (wide if is_wide(copy) else None)
        if like is not None and isinstance(verdict, Scalar):
            detail = f"the copy at line {like.line}, which is like it, has to stay: {like.detail or RULE.meaning(like.reason)}"
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
        if len(row) >= least and context.options.features.gain_arches
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
    if first is None or not copy.context.types.get(first[1], "").endswith("[1]"):
        return []
    return [f"consider a scalar {first[1]}"]


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
    first, second = (bases.find_base(copy.user, copy.context) for copy in (one, two))
    if first.key != second.key or {first.place, second.place} != {bases.FIELD}:
        return False
    function = one.context.function
    before, after = (innermost(function, copy.start) for copy in (one, two))
    return before is after or after in following(before)[:1]


def with_typed_pointers(judged: Sequence[Judged], context: Context) -> list[Judged]:
    """Give a local its type where all uses would cast it; use another one where three or more would.

    The type is the most frequent one: the accessors convert between signed and unsigned.
    """
    casts = Counter(
        v.cast
        for _, v in judged
        if isinstance(v, Scalar) and v.cast and not _BITWISE.match(v.cast.type)
    )
    types: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for cast in casts.elements():
        types.setdefault((cast.name, cast.sizes), []).append(cast.type)
    retyped = {
        key: edits
        for key, own in types.items()
        if (edits := _retyped(key[0], _frequent(own), len(own), context))
    }
    frequent = {
        key: own
        for key, own in types.items()
        if len(own) >= _LEAST_CASTS and key not in retyped
    }
    last = next(reversed(frequent), None)
    known = context.types
    taken: set[str] = set()
    made = {key: (key[0], edits) for key, edits in retyped.items()}
    same: dict[str, tuple[str, tuple[Edit, ...]]] = {}
    for key, own in frequent.items():
        place = _place(context, key[0])
        if place is not None:
            type_ = _frequent(own)
            wanted = "p" if len(frequent) == 1 else _name(type_)
            local = fresh_name(wanted, context, taken)
            value = key[0]
            if "__user" not in known.get(value, ""):
                value = f"({type_}){value}"
            text = f"{context.unit}{type_}{local} = {value};\n"
            if key == last and not declarations(context.source, context.body):
                text += "\n"
            made[key] = local, (Edit(place, place, text),)
            source = _source(key[0], context)
            if source is not None:
                same[f"({type_}){source}"] = made[key]
    found: list[Judged] = []
    for copy, verdict in judged:
        one = verdict.cast if isinstance(verdict, Scalar) else None
        if one is None or one not in casts or (one.name, one.sizes) not in made:
            if isinstance(verdict, Scalar):
                verdict = _with_local(verdict, same)
            found.append((copy, verdict))
            continue
        local, edits = made[one.name, one.sizes]
        again = judge_scalar(copy, local)
        if isinstance(again, Scalar):
            again = replace(again, edits=(*edits, *again.edits))
        found.append((copy, again))
    return found


def _with_local(
    verdict: Scalar, same: Mapping[str, tuple[str, tuple[Edit, ...]]]
) -> Scalar:
    """Use a local in place of its own initialiser, as in ``1 + (unsigned char __user *)arg`` of pp_do_ioctl()."""
    edit, *others = verdict.edits
    for cast, (local, declared) in same.items():
        text = re.sub(rf"{re.escape(cast)}\b(?!\s*(?:->|[.[(]))", local, edit.text)
        if text != edit.text:
            edits = (*declared, replace(edit, text=text), *others)
            return replace(verdict, edits=edits)
    return verdict


def _source(name: str, context: Context) -> str | None:
    """The argument of the function that ``void __user *name = (void __user *)argument`` casts, if it never changes."""
    for variable in context.variables:
        *cast, own = [token.text for token in variable.value] or [""]
        if variable.name.text == name and cast == ["(", "void", "__user", "*", ")"]:
            return own if _place(context, own) is not None else None
    return None


def _frequent(types: list[str]) -> str:
    """The most frequent type, and int if there are as many of each, as watchdog drivers have it."""
    return max(sorted(types), key=lambda t: (types.count(t), "unsigned" not in t))


def _retyped(name: str, type_: str, casts: int, context: Context) -> tuple[Edit, ...]:
    """The edits that declare ``void __user *name`` with a type, if nothing but these casts uses it."""
    if len(context.mentions(name)) != casts + 1:
        return ()
    own = type_.removesuffix(" __user *")
    for declaration in context.declared:
        words = [token.text for token in declaration]
        if words[:4] != ["void", "__user", "*", name] or "," in words:
            continue
        voids = [token for token in declaration if token.text == "void"]
        return tuple(Edit(token.start, token.end, own) for token in voids)
    return ()


def _name(type_: str) -> str:
    """A name that tells pointers apart: ``p16``, ``up`` for unsigned ones, ``p``."""
    width = re.search(r"(8|16|32|64)\b", type_)
    if width is not None:
        return f"p{width[0]}"
    return "up" if "unsigned" in type_ else "p"


def _place(context: Context, name: str) -> int | None:
    """The place where a local can be initialised with a pointer that does not change: below it, or first of all."""
    source, body = context.source, context.body
    code = source.code_between(body.start, body.end)
    for before, token, after in zip(code, code[1:], code[2:]):
        if token.text == name and (
            before.text in ("&", "++", "--") or after.text in ("++", "--")
        ):
            return None
    assigned = [
        token.start
        for token, after in zip(code, code[1:])
        if token.text == name and after.text in ASSIGNMENTS
    ]
    # get_user() is a macro that assigns to its first argument.
    assigned += [
        token.start
        for call, _, token in zip(code, code[1:], code[2:])
        if token.text == name and "get_user" in call.text
    ]
    beginning = source.text.find("\n", body.start) + 1
    header = source.code_between(context.function.start, body.start)
    if any(t.kind == NAME and t.text == name for t in header):
        return None if assigned else beginning
    end = body.children[0].start if body.children else body.end
    for declaration in context.declared:
        first, last = declaration[0], declaration[-1]
        if len(assigned) == 1 and first.start < assigned[0] < last.end <= end:
            return source.text.find("\n", last.end) + 1
    return None
