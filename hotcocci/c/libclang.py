# SPDX-License-Identifier: GPL-2.0
"""Lay out the types of declared members with libclang, on several machines: the program that `hotcocci.c.ask` runs.

It is a process of its own, as a file with its headers may take 200 MB. It imports nothing of hotcocci, which would
take longer than it does. Bodies of functions are skipped: they take half the time, and define no type of a member.

Its arguments are the folder of libclang's bindings, and how many elements of an array are named one by one. It reads
JSON: the ``file``, the ``lines`` that begin with a member, and in ``runs`` the compiler's options for each machine. It
prints for each the names of the ``files`` that were included, and the ``types`` of the members: ``kind``, ``size`` and
``align`` in bytes, and the ``scalars`` of a record, each a path, a kind, an offset and a size; null if they cannot all be
named or if two share bytes. A type is null if it contains an error, or is no record and no scalar.
It ends with status 3 if libclang crashes.
"""

import json
import sys
from ctypes import c_uint
from itertools import pairwise
from typing import Any

sys.path.append(sys.argv[1])
from clang.cindex import (  # noqa: E402
    Config,
    Cursor,
    CursorKind,
    Index,
    TranslationUnit,
    TranslationUnitLoadError,
    Type,
    TypeKind,
)

MOST_ELEMENTS = int(sys.argv[2])
_INTEGERS = (
    "CHAR_U UCHAR CHAR_S SCHAR USHORT SHORT UINT INT ULONG LONG ULONGLONG LONGLONG ENUM"
)
SCALARS = {getattr(TypeKind, name): "integer" for name in _INTEGERS.split()}
SCALARS |= {TypeKind.BOOL: "bool", TypeKind.POINTER: "pointer"}
Scalar = tuple[str, str, int, int]
CRASHED = 3


class Unnamed(Exception):
    """A member is neither a scalar nor a short array of them."""


def main() -> None:
    """Answer the question on standard input."""
    asked = json.load(sys.stdin)
    # The bindings leave it out.
    invalid = Config().lib.clang_isInvalidDeclaration
    invalid.argtypes, invalid.restype = [Cursor], c_uint
    index = Index.create()
    answers = []
    for options in asked["runs"]:
        skip = TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        try:
            unit = index.parse(asked["file"], options, options=skip)
        except TranslationUnitLoadError:
            # The compiler itself has failed, and has said why if it lacks memory.
            sys.exit(CRASHED)
        types = []
        for line in asked["lines"]:
            place = unit.get_location(asked["file"], (line, 1))
            member = Cursor.from_location(unit, place)
            known = member is not None and member.kind == CursorKind.FIELD_DECL
            right = known and not invalid(member.semantic_parent)
            types.append(laid_out(member) if right else None)
        files = {each.include.name for each in unit.get_includes()}
        answers.append({"files": sorted(files), "types": types})
    json.dump(answers, sys.stdout)


def laid_out(member: Cursor) -> dict[str, Any] | None:
    """The type of a member that is the only one of its structure."""
    around, type_ = member.semantic_parent.type, member.type.get_canonical()
    kind, scalars = SCALARS.get(type_.kind), None
    if type_.kind == TypeKind.RECORD and any(type_.get_fields()):
        kind = "record"
        try:
            scalars = scalars_of(type_, "", 0)
        except Unnamed:
            scalars = []
        shared = any(a[2] + a[3] > b[2] for a, b in pairwise(scalars))
        scalars = None if shared or not scalars else scalars
    size, align = around.get_size(), around.get_align()
    found = {"kind": kind, "size": size, "align": align, "scalars": scalars}
    return found if kind else None


def scalars_of(type_: Type, path: str, offset: int) -> list[Scalar]:
    """The scalars of a record, with those of the records in it. Raises Unnamed."""
    found = []
    for field in type_.get_fields():
        if field.is_bitfield():
            raise Unnamed
        # An anonymous member has none, or "struct a::(anonymous at a.h:1:1)".
        named = field.spelling.isidentifier()
        name = f"{path}.{field.spelling}" if named else path
        place = offset + field.get_field_offsetof() // 8
        found += elements(field.type.get_canonical(), name, place)
    return found


def elements(type_: Type, path: str, offset: int) -> list[Scalar]:
    """The scalars of a member. Raises Unnamed."""
    if type_.kind == TypeKind.RECORD:
        return scalars_of(type_, path, offset)
    if type_.kind == TypeKind.INCOMPLETEARRAY:
        return []
    paths, one = [path], type_
    if type_.kind == TypeKind.CONSTANTARRAY:
        one = type_.element_type
        # One more shows that they are too many.
        count = min(type_.element_count, MOST_ELEMENTS + 1)
        paths = [f"{path}[{number}]" for number in range(count)]
    if paths and one.kind not in SCALARS or len(paths) > MOST_ELEMENTS:
        raise Unnamed
    size = one.get_size()
    return [
        (each, SCALARS[one.kind], offset + number * size, size)
        for number, each in enumerate(paths)
    ]


if __name__ == "__main__":
    main()
