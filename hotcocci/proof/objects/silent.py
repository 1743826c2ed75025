# SPDX-License-Identifier: GPL-2.0
"""Names whose code may be the same here with and without them, and is not on other processors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hotcocci.c.source import DIRECTIVE, Token, closing, tokenize

SAME_ORDER = "a conversion of byte order does nothing on this architecture"
ORDERED = "this architecture may order accesses to memory without it"
UNALIGNED = "this architecture may need no alignment"
COHERENT = "this architecture may need no flush of a cache"
SAME_POINTER = "a pointer of a 32-bit task is the same on this architecture"
ONE_CPU = "this architecture may not be interrupted within it"
WIDER = "the type may be wider than long on another architecture"
PROMISED = "attributes and promises to the compiler are not compared"
ASSEMBLY = "operands of asm statements are not compared"

_ASM = re.compile(r"(?:__)?asm(?:__)?(?:_\w+)?")

# Conversions that do nothing where integers have this byte order
_CONVERTS = {
    "little": r"(?:__)?(?:cpu_to_le\d+[ps]?|le\d+_to_cpu[ps]?|le\d+_add_cpu)|\w*_bit_le",
    "big": r"(?:__)?(?:cpu_to_be\d+[ps]?|be\d+_to_cpu[ps]?|be\d+_add_cpu)|(?:hton|ntoh)[ls]",
}
# Documentation/memory-barriers.txt, atomic_t.txt, atomic_bitops.txt; core-api/{unaligned-memory-access,
# cachetlb,this_cpu_ops}.rst; s390's compat_ptr() drops a bit.
_SILENT = (
    (
        r"(?:smp|dma|virt)_(?:mb|rmb|wmb|store|load|cond|acquire)\w*|io_stop_wc|pmem_wmb"
        r"|(?:raw_|arch_)?(?:try_)?(?:cmp)?xchg\w*_(?:relaxed|acquire|release)"
        r"|(?:raw_|arch_)?(?:atomic|refcount)\w*_(?:relaxed|acquire|release)"
        r"|\w*_bit_(?:un)?lock\w*|(?:read|write)[bwlq]_relaxed|__raw_(?:read|write)[bwlq]",
        ORDERED,
    ),
    (r"(?:get|put)_unaligned\w*|(?:__)?(?:packed|aligned)(?:__)?", UNALIGNED),
    (
        r"flush_(?:dcache|icache|cache|kernel_vmap|anon)\w*|invalidate_kernel_vmap_range"
        r"|update_mmu_cache\w*",
        COHERENT,
    ),
    (
        r"(?:s?rcu|rht)_(?:dereference|access_pointer|assign_pointer)\w*|RCU_INIT_POINTER|rht_ptr\w*"
        r"|rcu_replace_pointer|rcu_pointer_handoff",
        ORDERED,
    ),
    (r"compat_ptr|ptr_to_compat", SAME_POINTER),
    (r"(?:raw|this|__this)_cpu_(?!ptr)\w+", ONE_CPU),
    # CONFIG_PHYS_ADDR_T_64BIT, CONFIG_ARCH_DMA_ADDR_T_64BIT
    (r"phys_addr_t|dma_addr_t|resource_size_t|PFN_PHYS|page_to_phys", WIDER),
    (
        r"__attribute_const__|__pure|__malloc|__noreturn|(?:__)?restrict(?:__)?|unreachable"
        # Another convention of calls (i386), and what other configurations add
        r"|asmlinkage|__no_\w+|__nocfi|__randomize_layout"
        r"|__builtin_(?:unreachable|assume_aligned)|__assume_aligned|data_race|ASSERT_EXCLUSIVE\w*",
        PROMISED,
    ),
)


def words(tokens: Iterable[Token]) -> list[str]:
    """The texts of tokens, and of those in directives."""
    found: list[str] = []
    for token in tokens:
        if token.kind == DIRECTIVE:
            found += (t.text for t in tokenize(token.text.replace("#", " ", 1)))
        else:
            found.append(token.text)
    return found


def silent(order: str, own: Iterable[Token], other: Iterable[Token]) -> dict[str, str]:
    """The names that these changed tokens have more often than those of the other side, and why they matter.

    ``order`` is the processor's byte order, "little" or "big".
    """
    kinds = (*_SILENT, (_CONVERTS[order], SAME_ORDER))
    return {
        name: why
        for name in Counter(words(own)) - Counter(words(other))
        for pattern, why in kinds
        if re.fullmatch(pattern, name)
    }


def assembly(own: Sequence[Token], other: Sequence[Token]) -> list[tuple[int, int]]:
    """Where each asm statement, or macro with one, begins and ends that the other side has not."""
    mine, theirs = list(_assembly(tuple(own))), list(_assembly(tuple(other)))
    left = Counter(text for _, _, text in mine) - Counter(text for _, _, text in theirs)
    return [(start, end) for start, end, text in mine if text in left]


def _assembly(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, str]]:
    for at, token in enumerate(tokens):
        if token.kind == DIRECTIVE:
            said = words([token])
            if any(map(_ASM.fullmatch, said)):
                yield token.start, token.end, " ".join(said)
        elif _ASM.fullmatch(token.text):
            first = at + 1
            while first < len(tokens) and tokens[first].text not in "(;":
                first += 1
            last = closing(tokens, first)
            if last is not None:
                said = words(tokens[at : last + 1])
                yield token.start, tokens[last].end, " ".join(said)
