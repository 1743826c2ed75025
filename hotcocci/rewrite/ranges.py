# SPDX-License-Identifier: GPL-2.0
"""The memory range of a run: one object, known offsets, known widths.

The size of a window comes from a type (W5), pointers must have no side effects (W11),
and no word may be fetched more or less often than before.
"""

from dataclasses import replace
from itertools import takewhile
from pathlib import PurePosixPath

from hotcocci.c import typed
from hotcocci.c.conditionals import guards_around
from hotcocci.c.expression import (
    Cast,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Unary,
    assigned,
    calls,
    canonical,
    names,
    root,
    uncast,
    walk,
)
from hotcocci.c.headers import guards_of_include
from hotcocci.c.text import layout, size_of
from hotcocci.c.typed import plain, type_of
from hotcocci.findings import READ
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.base import acting, has_checked_index, variable_indexes
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.hoisting import typed as typed_as
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.statements import UserAccess
from hotcocci.rewrite.window import ACTING, Refusal
from hotcocci.tree.kconfig import with_code
from hotcocci.tree.targets import Target

# Where get_user() of eight bytes does not exist, or returns half of them.
WITHOUT_EIGHT = tuple(
    Target(f"{arch}32", arch, arch, config="", bits=32) for arch in ("arm", "sparc")
)


def architecture(context: Context) -> str | None:
    """The one architecture that a file is for."""
    return architecture_of(context.source.file, context.options)


def architecture_of(file: str, options: Options) -> str | None:
    """The one architecture that a file is for, by its path: arch/s390, drivers/s390."""
    folders = PurePosixPath(file).parts[:-1]
    if folders[:1] == ("arch",):
        return "um" if "um" in folders[2:3] else folders[1]
    return next((f for f in folders if f in options.arches), None)


def reseat(run: Run, context: Context) -> Run:
    """Treat a run on one array element with a variable index as a run on that element.

    Computing the address of ``p->array[i]`` does not access memory, and offsets from
    there are constant. Any other run is returned unchanged.
    """
    source = context.source
    elements = [_element(a) for a in run.accesses]
    texts = {canonical(source.of(e)) for e in elements if e is not None}
    first = elements[0]
    if (
        first is None
        or None in elements
        or len(texts) != 1
        or calls(first)
        or assigned(first)
    ):
        return run
    text = "&" + source.of(first)
    accesses = tuple(
        replace(
            a,
            base=replace(
                a.base,
                text=text,
                kind=bases.INDEXED,
                place=bases.FIELD,
                index=0,
                expr=element,
                outer=a.base,
            ),
        )
        for a, element in zip(run.accesses, elements)
        if element is not None
    )
    return run.with_accesses(accesses)


def _element(access: UserAccess) -> Expr | None:
    """The last element on the path of an access with a variable index and a field after it."""
    if access.base.kind != bases.PLAIN or access.base.through_cast:
        return None
    place: Expr = access.pointer
    if not (isinstance(place, Unary) and place.operator == "&"):
        return None
    place = place.operand
    below: Expr | None = None
    while isinstance(place, (Member, Index)) and place is not access.base.expr:
        if isinstance(place, Index) and not isinstance(place.index, Literal):
            field = isinstance(below, Member) and below.operator == "."
            return place if field else None
        below, place = place, place.object
    return None


def pointer(run: Run, context: Context) -> Refusal | None:
    """Refuse unless the range follows from a type and the offsets are constant (W5, W11)."""
    source = context.source
    own = run.accesses[0].base.names
    stepped = [a for a in run.accesses if a.base.place == bases.STEP]
    advances = run.accesses[0].base.place == bases.ADVANCED
    for statement, target in run.stores if not advances else ():
        if own & names(root(target)):
            what = f"{source.of(target)} changes between them"
            detail = f"{what} at line {statement.line}"
            return Refusal("base-changes", statement.line, detail)
    for access in run.accesses:
        line = source.line_of(access.start)
        if access.base.through_cast and not stays_in_member(
            access, pointed(access, context), architecture(context) is not None, context
        ):
            return Refusal("cast-pointer", line)
        if assigned(access.value):
            return Refusal("side-effect-argument", line)
        macro = acting(access.value, context) or acting(access.pointer, context)
        if macro is not None:
            return Refusal("side-effect-argument", line, ACTING.format(macro, line))
        changed = {n for e in assigned(access.pointer) for n in names(root(e))}
        if changed and access.base.place != bases.STEP:
            return Refusal(
                "base-changes" if changed & own else "side-effect-argument", line
            )
        if access.direction == READ and root(access.value).name in own:
            return Refusal("base-changes", line)
        if stepped and access.base.place != bases.STEP:
            return Refusal("base-changes", line)
        if access.base.place == bases.STEP:
            if source.of(access.pointer).find("++") < 1:
                return Refusal("base-changes", line)
        elif access.base.index is None or access.base.index < 0:
            return _offset(access, context)
        if access.direction == READ and has_checked_index(access.value, context):
            return Refusal("variable-index", line)
        if access.direction == READ and calls(access.value):
            return Refusal("side-effect-argument", line)
    return moved_by_others(run, context)


def moved_by_others(run: Run, context: Context) -> Refusal | None:
    """Refuse a pointer whose address is taken, as by ``next_record(&p)``, where a call or a store may change it."""
    first, last = run.accesses[0], run.accesses[-1]
    end = max([last.end, *(end for _, end in context.repeated_ranges(first.start))])
    own = first.base.names
    shared = next((n for n in sorted(own) if context.is_pointed_to(n, end)), None)
    if shared is None:
        return None
    calls_ = (c for a in run.accesses for c in bases.outside_calls(a.value))
    stored = [a.value for a in run.accesses if a.direction == READ]
    stored += [target for _, target in run.stores]
    changes = (e for e in stored if not context.is_local(e))
    found = next(iter((*calls_, *changes)), None)
    if found is None:
        return None
    line = context.line(found)
    detail = f"{squeeze(context.of(found))} at line {line} may change {shared}, whose address is taken"
    return Refusal("base-changes", line, detail)


def _offset(access: UserAccess, context: Context) -> Refusal:
    """Why a window on the base of an access may not cover its element."""
    line = context.line(access)
    base = access.base
    pointer = squeeze(context.of(access.pointer))
    if base.index is not None:
        detail = f"{pointer} is before {base.text}, where a window would begin"
        return Refusal("range-unknown", line, detail)
    unknown = names(access.pointer) - base.names
    if all(name.isupper() or name == "sizeof" for name in unknown):
        detail = f"the offset of {pointer} from {base.text} is not a literal number"
        return Refusal("range-unknown", line, detail)
    return Refusal("variable-index", line)


def fetches(run: Run, context: Context) -> Refusal | None:
    """Refuse if a word that is fetched twice would not stay fetched twice."""
    seen: set[str] = set()
    for access in run.accesses:
        moves = access.base.place in (bases.STEP, bases.ADVANCED)
        if access.direction != READ or moves:
            continue
        pointer = context.key(access.pointer)
        if pointer in seen:
            line = context.line(access)
            detail = f"{pointer} is fetched again at line {line}; the number of fetches must stay"
            return Refusal("double-fetch", line, detail)
        seen.add(pointer)
    return None


def path(access: UserAccess) -> list[Expr]:
    """The ``.field`` and ``[index]`` steps from the base of an access to its target."""
    place: Expr = access.pointer
    while isinstance(place, (Unary, Cast)):
        place = place.operand
    base = access.base.outer or access.base
    *outward, _ = bases.spine(place)
    steps = [*takewhile(lambda each: each is not base.expr, outward)][::-1]
    if base.place == bases.ELEMENT and steps and isinstance(steps[0], Index):
        return steps[1:]
    return steps


def pointed(access: UserAccess, context: Context) -> str | None:
    """The type that the base points to, from a cast, its declaration or the structure that keeps it."""
    base = access.base.outer or access.base
    for part in walk(base.expr):
        if isinstance(part, Cast) and "__user" in part.type:
            return part.type.replace("*", "").strip()
    type_ = typed_as(base.expr, context)
    return type_[:-1].strip() if type_.endswith("*") else None


def widths(run: Run, context: Context) -> Refusal | None:
    """Refuse unless each access is to a scalar inside the object, by the headers (W5, W19)."""
    arm = not context.options.features.arm_get_u64 and not never_on_arm32(context)
    for access in run.accesses:
        if access.copied is not None:
            continue  # its type was looked up when it joined the run
        line = context.line(access)
        steps = path(access)
        indexed = any(isinstance(step, Index) for step in steps)
        fetched = arm and access.direction == READ
        if access.base.through_cast:
            root, file = context.where
            if fetched and size_of(root, file, cast_to(access) or "") == 8:
                return Refusal("u64-arm32", line)
            continue
        if not indexed and not fetched and not steps:
            continue
        target = pointed(access, context)
        found = (
            typed.place(*context.where, target, steps)
            if target
            else typed.Place(typed.UNKNOWN, None)
        )
        if indexed and not found.inside and access.base.outer is None:
            known = not any(variable_indexes(s) for s in steps)
            return Refusal("range-unknown" if known else "variable-index", line)
        if found.kind in (typed.BITFIELD, typed.RECORD):
            return Refusal("bitfield", line)
        if fetched and (
            found.kind == typed.WIDE or _wide_target(access, found, context)
        ):
            return Refusal("u64-arm32", line)
    return None


def _wide_target(access: UserAccess, found: typed.Place, context: Context) -> bool:
    """Whether the variable has eight bytes, if the field's type is unknown."""
    value = access.value
    if found.kind != typed.UNKNOWN or not isinstance(value, Name):
        return False
    known = context.integer(value.text)
    return known is not None and known.size == 8


def never_on_arm32(context: Context) -> bool:
    """Whether code never runs on arm32: it is for another architecture, or compat code of 64-bit kernels."""
    if architecture(context) not in (None, "arm"):
        return True
    guards = guards_around(context.source.text, context.body.start)
    root, file = context.where
    guards += guards_of_include(root / file)
    return not with_code(root, file, guards, WITHOUT_EIGHT)


def fetches_eight(context: Context) -> bool:
    """Whether get_user() may fetch eight bytes where a copy does, on all architectures that compile the code.

    On sparc32 it returns the upper half alone, and on arm32 without an MMU it does not link.
    """
    path = PurePosixPath(context.source.file)
    sparc32 = architecture(context) == "sparc" and not path.stem.endswith("_64")
    return context.options.features.get_u64 or (never_on_arm32(context) and not sparc32)


def stays_in_member(
    access: UserAccess, owner: str | None, only_arch: bool, context: Context
) -> bool:
    """Whether an access through a cast is no wider than the member whose address is cast.

    ``owner`` is the structure that the base points to. The sizes must be known on all machines,
    with ``only_arch`` on the file's own architecture.
    """
    type_, address = cast_to(access), uncast(access.pointer)
    if type_ is None or owner is None or access.base.kind != bases.PLAIN:
        return False
    if not (isinstance(address, Unary) and address.operator == "&"):
        return False
    if any(isinstance(part, Index) for part in walk(address)):
        return False
    root, file = context.where
    known = {access.base.key: f"{plain(owner)} *"}
    member = type_of(root, file, address.operand, known)
    if member is None:
        return False
    if only_arch:
        sizes = size_of(root, file, type_), size_of(root, file, member)
        return None not in sizes and (sizes[0] or 0) <= (sizes[1] or 0)
    own, around = layout(root, file, type_), layout(root, file, member)
    if own is None or around is None:
        return False
    return all(a <= b for a, b in zip(own.sizes, around.sizes, strict=True))


def cast_to(access: UserAccess) -> str | None:
    """The type of the object that an access through a cast is to."""
    if not isinstance(access.pointer, Cast) or access.pointer.type.count("*") != 1:
        return None
    return plain(access.pointer.type.replace("*", " "))
