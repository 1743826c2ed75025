# SPDX-License-Identifier: GPL-2.0
"""Take answers from the cache, make the others, and keep each as soon as it is made."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from hotcocci.cache import Cache

Item = TypeVar("Item", bound=Hashable)
Answer = TypeVar("Answer")


def remembered(
    cache: Cache,
    keys: Mapping[Item, str],
    read: Callable[[Item, Any], Answer],
    make: Callable[[list[Item]], Iterable[tuple[Item, Answer]]],
    write: Callable[[Answer], object],
) -> dict[Item, Answer]:
    """The answer for each item that ``make`` has one for, by item; ``keys`` are those in the cache.

    ``read`` makes an answer of what ``write`` made of it. ``make`` yields the answers that are not
    known, in any order.
    """
    found = recalled(cache, keys, read)
    for item, answer in make([item for item in keys if item not in found]):
        found[item] = answer
        cache.remember({keys[item]: write(answer)})
    return found


def known_answer(
    cache: Cache, key: str, read: Callable[[Any], Answer]
) -> Answer | None:
    """The one answer with a key; None if it is not known."""
    return recalled(cache, {key: key}, lambda _, data: read(data)).get(key)


def recalled(
    cache: Cache, keys: Mapping[Item, str], read: Callable[[Item, Any], Answer]
) -> dict[Item, Answer]:
    """The answers in the cache, by item; one that ``read`` cannot take is unknown."""
    rows = cache.answers(list(dict.fromkeys(keys.values())))
    found = {}
    for item, key in keys.items():
        if key in rows:
            try:
                found[item] = read(item, rows[key])
            except (LookupError, TypeError, ValueError, AttributeError):
                # It has another shape: another program wrote it.
                continue
    return found
