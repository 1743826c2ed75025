# SPDX-License-Identifier: GPL-2.0
"""Classify calls inside a window: allowed, or the rule they violate."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.call_names import OPENS, may_sleep
from hotcocci.tree.uaccess_safe import uaccess_safe

# The tree's own list of functions that do not return
NORETURNS = "tools/objtool/noreturns.h"
# Copy and clear routines in assembly that architectures without objtool call with user access
# open.
ASSEMBLY = frozenset(
    # arch/powerpc/include/asm/{uaccess,checksum}.h
    "__copy_tofrom_user __copy_tofrom_user_base __copy_tofrom_user_power7 "
    "__copy_tofrom_user_power7_vmx __arch_clear_user copy_mc_generic "
    # arch/powerpc/include/asm/book3s/64/kup.h: only called with all access closed
    "do_uaccess_flush "
    # arch/arm64/include/asm/uaccess.h
    "__arch_copy_from_user __arch_copy_to_user memcpy_page_flushcache __copy_user_flushcache "
    # arch/x86/include/asm/uaccess_32.h
    "__copy_user_ll __copy_from_user_ll_nocache_nozero".split()
)
# The trampoline of a static call (include/linux/static_call_types.h)
STATIC_CALL = "__SCT__"
# Architecture names for the functions in `OPENS`: arch/x86/lib/{get,put}user.S, usercopy.c
HELPER = re.compile(r"__(?:get|put)_user_(?:nocheck_)?\d+$")
OPENING = re.compile(rf"\b(?:{'|'.join(sorted(OPENS))})\s*\(")
MEMORY = re.compile(r"(?:__)?mem(?:cpy|set|move)$")
NAMED = re.compile(r"\b(?:__)?mem(?:cpy|set|move)\b")


def allowed(tree: Path) -> frozenset[str]:
    """Functions that may be called inside a window: this tree's objtool list, and `ASSEMBLY`."""
    return ASSEMBLY | uaccess_safe(tree)


@lru_cache(maxsize=4)
def noreturn(tree: Path) -> frozenset[str]:
    """Functions that do not return, from this tree's objtool."""
    try:
        text = (tree / NORETURNS).read_text(encoding="latin-1")
    except FileNotFoundError:
        return frozenset()
    return frozenset(re.findall(r"^NORETURN\((\w+)\)", text, re.MULTILINE))


def broken_rule(callee: str, line: str) -> str:
    """The rule that a call inside a window violates; ``line`` is its source line.

    ``callee`` is empty for a call through a pointer. Calls made by an accessor that opens user
    access itself, such as __might_fault() or memset(), count as that accessor.
    """
    name = callee.removeprefix(STATIC_CALL).partition(".")[0]
    if name in OPENS or HELPER.match(name) or OPENING.search(line):
        return "UW10"
    if may_sleep(name):
        return "UW09"
    if MEMORY.match(name) and not NAMED.search(line):
        return "UW08"
    return "UW06"


def plain(callee: str) -> str:
    """The source name of a callee with "()", or "a function pointer" if it is empty."""
    name = callee.removeprefix(STATIC_CALL).partition(".")[0]
    return f"{name}()" if name else "a function pointer"
