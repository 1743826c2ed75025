# SPDX-License-Identifier: GPL-2.0
"""What a call inside a window is: harmless, or which rule it breaks."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.call_names import OPENS, may_sleep
from hotcocci.tree.uaccess_safe import uaccess_safe

# The tree's own list of what does not return
NORETURNS = "tools/objtool/noreturns.h"
# Copying and clearing in assembly, which the architecture itself calls with user access open:
# objtool never sees these architectures.
ASSEMBLY = frozenset(
    # arch/powerpc/include/asm/{uaccess,checksum}.h
    "__copy_tofrom_user __copy_tofrom_user_base __copy_tofrom_user_power7 "
    "__copy_tofrom_user_power7_vmx __arch_clear_user copy_mc_generic "
    # arch/powerpc/include/asm/book3s/64/kup.h: only where nothing is left open
    "do_uaccess_flush "
    # arch/arm64/include/asm/uaccess.h
    "__arch_copy_from_user __arch_copy_to_user memcpy_page_flushcache __copy_user_flushcache "
    # arch/x86/include/asm/uaccess_32.h
    "__copy_user_ll __copy_from_user_ll_nocache_nozero".split()
)
# The trampoline of a static call (include/linux/static_call_types.h)
STATIC_CALL = "__SCT__"
# The arch's own names of what `OPENS` lists: arch/x86/lib/{get,put}user.S, usercopy.c
HELPER = re.compile(r"__(?:get|put)_user_(?:nocheck_)?\d+$")
OPENING = re.compile(rf"\b(?:{'|'.join(sorted(OPENS))})\s*\(")
MEMORY = re.compile(r"(?:__)?mem(?:cpy|set|move)$")
NAMED = re.compile(r"\b(?:__)?mem(?:cpy|set|move)\b")


def allowed(tree: Path) -> frozenset[str]:
    """What may be called inside a window: objtool's list of this tree, and `ASSEMBLY`."""
    return ASSEMBLY | uaccess_safe(tree)


@lru_cache(maxsize=4)
def noreturn(tree: Path) -> frozenset[str]:
    """The functions that this tree's objtool knows not to return."""
    try:
        text = (tree / NORETURNS).read_text(encoding="latin-1")
    except FileNotFoundError:
        return frozenset()
    return frozenset(re.findall(r"^NORETURN\((\w+)\)", text, re.MULTILINE))


def broken_rule(callee: str, line: str) -> str:
    """The rule that a call inside a window breaks; ``line`` is the text it stands in.

    ``callee`` is empty for a call through a pointer. What an accessor that opens by itself
    calls on its way (__might_fault(), memset()) is not told apart from it.
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
    """The name of a function as the source has it."""
    name = callee.removeprefix(STATIC_CALL).partition(".")[0]
    return f"{name}()" if name else "a function through a pointer"
