# SPDX-License-Identifier: GPL-2.0
"""Rebuild dataclasses from what `dataclasses.asdict` and JSON made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


def rebuilt(kind: type[Record], data: Any) -> Record:
    """The dataclass of this type, with all those in it, from plain lists, dictionaries and values."""
    hashable: Any = kind
    made: Record = _maker(hashable)(data)
    return made


@lru_cache(maxsize=None)
def _maker(kind: Any) -> Callable[[Any], Any]:
    """A function that makes a value of this type; `_same` if JSON keeps such values."""
    inner = get_args(kind)
    if is_dataclass(kind):
        types = get_type_hints(kind)
        all_made = {name: _maker(types[name]) for name in types}
        made = {name: make for name, make in all_made.items() if make is not _same}
        record: Any = kind
        return lambda data: record(
            **{**data, **{name: make(data[name]) for name, make in made.items()}}
        )
    if get_origin(kind) is UnionType:
        make = _maker(inner[0])
        if make is _same:
            return _same
        return lambda data: None if data is None else make(data)
    if get_origin(kind) is tuple and Ellipsis in inner:
        each = _maker(inner[0])
        return tuple if each is _same else lambda data: tuple(map(each, data))
    if get_origin(kind) is tuple:
        several = tuple(map(_maker, inner))
        return lambda data: tuple(
            make(v) for make, v in zip(several, data, strict=True)
        )
    if get_origin(kind) is Mapping:
        value = _maker(inner[1])
        return lambda data: {name: value(each) for name, each in data.items()}
    return _same


def _same(data: Any) -> Any:
    return data
