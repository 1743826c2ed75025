# SPDX-License-Identifier: GPL-2.0
"""Recognise functions that allocate and free memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import Call

# ___GFP_ZERO (include/linux/gfp_types.h), the same since 4.x.
ZERO = 0x100


@dataclass(frozen=True)
class Allocator:
    """Argument numbers of size and flags, from 0; without a size it allocates a page.

    ``zeroes`` says whether the memory is zeroed if there are no flags.
    """

    size: int | None = None
    flags: int | None = None
    zeroes: bool = False


# include/linux/slab.h, vmalloc.h, device.h, net/sock.h. With CONFIG_SLAB_BUCKETS the flags of
# functions with a size and a node move by one argument.
ALLOCATORS = {
    "kmalloc": Allocator(0, 1),
    "__kmalloc": Allocator(0, 1),
    "__kmalloc_large": Allocator(0, 1),
    "kmalloc_large": Allocator(0, 1),
    "__kmalloc_node": Allocator(0, 1),
    "__kvmalloc_node": Allocator(0, 1),
    "kvmalloc_node": Allocator(0, 1),
    "__kmalloc_cache": Allocator(2, 1),
    "kmalloc_trace": Allocator(2, 1),
    "__kmalloc_cache_node": Allocator(3, 1),
    "kmem_cache_alloc": Allocator(None, 1),
    "kmem_cache_alloc_lru": Allocator(None, 2),
    "kmem_cache_alloc_node": Allocator(None, 1),
    "vmalloc": Allocator(0),
    "vzalloc": Allocator(0, zeroes=True),
    "__vmalloc": Allocator(0, 1),
    "devm_kmalloc": Allocator(1, 2),
    "sock_kmalloc": Allocator(1, 2),
    "get_free_pages": Allocator(None, 0),
    "__get_free_pages": Allocator(None, 0),
    "get_zeroed_page": Allocator(zeroes=True),
}
BUCKETS = ("__kmalloc_node", "__kvmalloc_node")
# The argument that points to the freed object.
FREES = {
    "kfree": 0,
    "kvfree": 0,
    "vfree": 0,
    "kfree_sensitive": 0,
    "kvfree_sensitive": 0,
    "kvfree_call_rcu": 1,
    "kmem_cache_free": 1,
    "devm_kfree": 1,
    "sock_kfree_s": 1,
    "free_pages": 0,
}
# Words in function names after which an object may be freed or owned by others.
RELEASES = re.compile(
    r"(?:^|_)(?:\w*free|\w*put|unlock|unref|release|destroy|drop|del|delete|remove|dec|"
    r"unregister|unpin|detach|complete|wake|up|done|finish|end|exit|close|cancel|kill)(?:_|\d|$)"
)
COMPUTES = re.compile(r"(?:^|_)(?:input|output|compute|throughput)(?:_|\d|$)")


def allocator(name: str, parameters: int) -> Allocator | None:
    """Return how a function with this name and number of parameters allocates, None if not."""
    name = name.removesuffix("_noprof")
    found = ALLOCATORS.get(name)
    if found is not None and name in BUCKETS and parameters == 4:
        return Allocator(0, 2)
    return found


def fresh(of: Allocator, argument: Callable[[int], int]) -> tuple[int, bool]:
    """The size in bytes that a call allocates, and whether it is zeroed."""
    size = PAGE if of.size is None else argument(of.size)
    zeroed = of.zeroes if of.flags is None else bool(argument(of.flags) & ZERO)
    return min(size, 4 * PAGE), zeroed


def zeroed_instead(was: Call, now: Call) -> bool:
    """Whether two calls allocate the same, and only one of them zeroes the memory."""
    of = [allocator(each.name, len(each.arguments)) for each in (was, now)]
    if of[0] is None or of[1] is None or str(was) == str(now):
        return False
    return _without_zero(was, of[0]) == _without_zero(now, of[1])


def _without_zero(call: Call, of: Allocator) -> object:
    """A call of an allocator but for zeroing."""
    arguments = list(call.arguments)
    if of.flags is not None:
        arguments[of.flags] = f"{int(arguments[of.flags], 16) & ~ZERO:#x}"
    return call.name.replace("zalloc", "malloc"), arguments


def releases(name: str) -> bool:
    """Whether a function releases something, judging by its name: free, unlock, put."""
    return RELEASES.search(name) is not None and COMPUTES.search(name) is None
