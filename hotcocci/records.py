# SPDX-License-Identifier: GPL-2.0
"""Rebuild dataclasses from the output of `dataclasses.asdict` and JSON."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache, partial
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
_PLAIN = {str: str, bool: bool, int: int, float: (float, int), NoneType: NoneType}


def rebuilt(kind: type[Record], data: Any) -> Record:
    """The dataclass of this type, with all those in it, from plain lists, dictionaries and values.

    Raises TypeError, ValueError or KeyError if the data do not have this shape.
    """
    hashable: Any = kind
    made: Record = _maker(hashable)(data)
    return made


@lru_cache(maxsize=None)
def _maker(kind: Any) -> Callable[[Any], Any]:
    """A function that makes a value of this type."""
    inner = get_args(kind)
    origin = get_origin(kind) or kind
    if is_dataclass(kind):
        types = get_type_hints(kind)
        makers = {name: _maker(types[name]) for name in types}
        record: Any = kind
        return partial(_record, record, makers)
    if kind in _PLAIN:
        return partial(_checked, _PLAIN[kind])
    if origin is UnionType:
        return partial(_first, [_maker(each) for each in inner])
    if origin is tuple and Ellipsis in inner:
        each = _maker(inner[0])
        return lambda data: tuple(map(each, _checked((list, tuple), data)))
    if origin is tuple:
        several = tuple(map(_maker, inner))
        return lambda data: tuple(
            make(v)
            for make, v in zip(several, _checked((list, tuple), data), strict=True)
        )
    if origin in (Mapping, dict):
        value = _maker(inner[1])
        return lambda data: {
            name: value(each) for name, each in _checked(dict, data).items()
        }
    return lambda data: data


def _record(
    kind: Callable[..., Any], makers: Mapping[str, Callable[[Any], Any]], data: Any
) -> Any:
    return kind(
        **{name: makers[name](each) for name, each in _checked(dict, data).items()}
    )


def _checked(kinds: Any, data: Any) -> Any:
    if not isinstance(data, kinds) or (data is True or data is False) != (
        kinds is bool
    ):
        raise TypeError(f"{data!r:.40} is none of {kinds}")
    return data


def _first(makers: list[Callable[[Any], Any]], data: Any) -> Any:
    """The result of the first of several functions that accepts a value."""
    for make in makers[:-1]:
        try:
            return make(data)
        except (TypeError, ValueError, KeyError):
            continue
    return makers[-1](data)
