# SPDX-License-Identifier: GPL-2.0
"""Names whose code may be the same here with and without them, and is not on other processors.

A name that moves from one operand to another is one that the first has lost.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hotcocci.c.flow import closure
from hotcocci.c.source import DIRECTIVE, NAME, Token, closing, split, tokenize

SAME_ORDER = "a conversion of byte order does nothing on this architecture"
ORDERED = "this architecture may order accesses to memory without {}"
UNALIGNED = "this architecture may need no alignment"
ALIGNED = "types may be aligned otherwise on another architecture"
COHERENT = "this architecture may need no flush of a cache"
MAPPED = "this architecture has all pages mapped"
SAME_POINTER = "a pointer of a 32-bit task is the same on this architecture"
ONE_CPU = "this architecture may not be interrupted within {}"
WIDER = "the type may be wider than long on another architecture"
NARROWER = (
    "the type may have 32 bits on another architecture, and a shift by 32 is undefined"
)
ACCOUNTED = "with CONFIG_MEM_ALLOC_PROFILING it is counted for another function"
INSTRUMENTED = "with KASAN or KCSAN one of both is instrumented"
CHECKED = "with debugging options one of both is checked"
SPINS = "with PREEMPT_RT a spinlock_t sleeps, and a raw_spinlock_t does not"
CALLED_FROM = "what it is depends on the function that it is in, which may be inlined"
LIBRARY = "other compilers call a function for it, which kernels need not have"
ONCE = "each of these says once what it finds"
PROMISED = "attributes and promises to the compiler are not compared"
ASSEMBLY = "operands of asm statements are not compared"

# What makes no use of the alignment of its arguments
_BYTEWISE = r"(?:__)?mem(?:cpy|move|cmp|set)"
_ATTRIBUTE = re.compile(r"__attribute__ \( \( _*(\w+?)_*((?: \( [^()]* \))?) \) \)")
# What ends a statement
ENDS = frozenset(";{}")
# Of x86, too: asm/alternative.h
ASM = re.compile(r"(?:__)?asm(?:__)?(?:_\w+)?|alternative_(?:call|input|io)\w*")

# Conversions that do nothing where integers have this byte order
_CONVERTS = {
    "little": r"(?:__)?(?:cpu_to_le\d+[ps]?|le\d+p?_\w+)|\w*_bit_le",
    "big": r"(?:__)?(?:cpu_to_be\d+[ps]?|be\d+p?_\w+)|(?:hton|ntoh)[ls]",
}
CONVERTS = re.compile("|".join(_CONVERTS.values()))
# Documentation/memory-barriers.txt, atomic_t.txt, atomic_bitops.txt; core-api/{unaligned-memory-access,
# cachetlb,this_cpu_ops}.rst; s390's compat_ptr() drops a bit.
_SILENT = (
    (
        r"(?:smp|dma|virt)_(?:mb|rmb|wmb|store|load|cond|acquire)\w*|io_stop_wc|pmem_wmb"
        r"|(?:raw_|arch_)?(?:try_)?(?:cmp)?xchg\w*_(?:relaxed|acquire|release)"
        r"|(?:raw_|arch_)?(?:atomic|refcount)\w*_(?:relaxed|acquire|release)"
        r"|\w*_bit_(?:un)?lock\w*|_*test_bit_acquire|(?:read|write)[bwlq]_relaxed|__raw_(?:read|write)[bwlq]",
        ORDERED,
    ),
    (
        r"(?:__)?(?:packed|aligned)(?:__)?|_Alignas|\w*aligned_(?:[us]|[bl]e)64",
        UNALIGNED,
    ),
    (r"_*[Aa]lignof_*", ALIGNED),
    (r"\w*alloc\w*_noprof", ACCOUNTED),
    (r"(?:raw|arch)_(?:atomic|(?:try_)?(?:cmp)?xchg|\w*_bit)\w*", INSTRUMENTED),
    (
        r"__copy_\w+_inatomic\w*|_copy_(?:to|from)_user|check_(?:object|copy)_size|might_\w+",
        CHECKED,
    ),
    (r"raw_spinlock_t|rlock|raw_spin_lock_init|\w*RAW_SPIN_?LOCK\w*", SPINS),
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
    # Mapped last, unmapped first: Documentation/mm/highmem.rst
    (r"kmap_(?:local|atomic)_?\w*", MAPPED),
    (r"(?:raw|this|__this)_cpu_(?!ptr)\w+", ONE_CPU),
    # CONFIG_PHYS_ADDR_T_64BIT, CONFIG_ARCH_DMA_ADDR_T_64BIT
    (r"phys_addr_t|dma_addr_t|resource_size_t|PFN_PHYS|page_to_phys", WIDER),
    (
        # Attributes (`attributes`, and what macros make of them), and what is none in this configuration
        r"__attribute__ .*|asmlinkage|__no_\w+|__(?:cold|hot|flatten|pure|malloc|used|noreturn|section|alias|visible)"
        r"|noinline\w*|__always_inline|__bpf_kfunc|__randomize_layout|__latent_entropy|nokprobe_inline"
        r"|pragma|_Pragma|(?:__)?restrict(?:__)?|unreachable|__builtin_(?:unreachable|assume_aligned)"
        # What assembly, modules or LTO refer to
        r"|\w*ADDRESSABLE\w*|\w+_NOSEAL|KCFI_REFERENCE|data_race|__data_racy|ASSERT_EXCLUSIVE\w*",
        PROMISED,
    ),
)
_LOST = (r"(?:get|put)_unaligned\w*", UNALIGNED)
# lib/clz_ctz.c has what they may call for clz and ctz alone.
_CALLS = (r"__builtin_(?:ffs|parity|popcount|clrsb|bswap)\w*", LIBRARY)
# Of which only the loss matters: include/linux/wordpart.h: upper_32_bits() shifts by 16 twice. Of which only the
# gain does: alpha and arm64 have a READ_ONCE() that orders more than a volatile access.
_GUARDS = (((r"volatile", ORDERED), _CALLS), ((r"upper_32_bits", NARROWER), _LOST))
# All of these but for what shows in the type of a value
SILENT = re.compile("|".join(pattern for pattern, _ in (*_SILENT, _LOST)))
_ONCE = re.compile(r"\w*(?:WARN|BUG)\w*_ONCE\w*")
# What machine code of no processor here shows
_SHOWN_NOWHERE = frozenset(
    (UNALIGNED, COHERENT, MAPPED, SAME_POINTER, INSTRUMENTED, CHECKED)
)


def is_hidden(name: str) -> bool:
    """Whether code may be the same with and without a name that is called, on all processors that are compared."""
    return any(
        why in _SHOWN_NOWHERE and re.fullmatch(pattern, name)
        for pattern, why in (*_SILENT, _LOST)
    )


CALLER = re.compile(
    r"_(?:RET|THIS)_IP_|CALLER_ADDR\d|__builtin_(?:return|frame)_address|current_stack_pointer"
    r"|stack_trace_save\w*"
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


NAMES = re.compile(r"\b[A-Za-z_]\w*")


def by_function(
    function: Callable[[Token], str], tokens: Iterable[Token]
) -> dict[str, list[Token]]:
    """Tokens by the ``function`` that they are in; those outside of functions have none."""
    found: dict[str, list[Token]] = {}
    for token in tokens:
        found.setdefault(function(token), []).append(token)
    return found


# A name, and what it is applied to
Applied = tuple[str, str]


def alone(code: Sequence[Token]) -> list[Token]:
    """The calls without arguments, as those of barriers, which are for what is beside them."""
    following = zip(code, code[1:], code[2:])
    return [a for a, b, c in following if a.kind == NAME and b.text + c.text == "()"]


def clearing(code: Sequence[Token]) -> set[int]:
    """The offsets of names that set a pointer to NULL, which publishes nothing: both are WRITE_ONCE() (linux/rcupdate.h)."""
    return {
        token.start
        for at, token in enumerate(code)
        if token.text in ("rcu_assign_pointer", "RCU_INIT_POINTER")
        and [t.text for t in code[(closing(code, at + 1) or 2) - 2 :][:2]]
        == [",", "NULL"]
    }


# Attributes that need not be the same: with an effect on code, which is compared, or on warnings of this compiler; and those
# with rules of their own
_COMPARED = frozenset(
    "cleanup unused maybe_unused fallthrough packed aligned format warn_unused_result weak".split()
)


def attributes(code: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Where each list of attributes begins and ends, with each attribute in it that matters to others."""
    for at, token in enumerate(code):
        end = closing(code, at + 1) if token.text.startswith("__attribute") else None
        inside = code[at + 3 : end - 1] if end is not None else ()
        for part in split(inside, ","):
            if part and part[0].text.strip("_") not in _COMPARED:
                yield at, end or at, _joined(part)


def applied(code: Sequence[Token], changed: Iterable[Token]) -> Counter[Applied]:
    """The changed names of a text with their arguments, else with the statement or declaration that each is in.

    Of attributes, the whole is a name.
    """
    changed = [*changed]
    starts = {token.start: at for at, token in enumerate(code)}
    found: Counter[Applied] = Counter()
    places = set[int]()
    for token in changed:
        if token.kind == DIRECTIVE:
            found.update((word, "") for word in words([token]))
        elif token.kind == NAME:
            places.add(starts[token.start])
    changes = {starts[t.start] for t in changed if t.kind != DIRECTIVE}
    for first, last, said in attributes(code) if changes else ():
        if not changes.isdisjoint(range(first, last + 1)):
            found[f"__attribute__ {said}", ""] += 1
    found.update((_name(code, at), _operand(code, at)) for at in places)
    return found


def _name(code: Sequence[Token], at: int) -> str:
    """A name; an attribute has that of its macro, __packed for __attribute__((packed))."""
    text = code[at].text
    depth = 0
    while at >= 3 and depth == 0 and code[at].text not in ENDS:
        at -= 1
        depth += (code[at].text == "(") - (code[at].text == ")")
    before = [token.text for token in code[max(at - 2, 0) : at + 1]]
    return f"__{text.strip('_')}" if before == ["__attribute__", "(", "("] else text


def _operand(code: Sequence[Token], at: int) -> str:
    """The arguments of a name; without any, its statement, for a call with those beside it."""
    beside = 1
    if [t.text for t in code[at + 1 : at + 2]] == ["("]:
        last = closing(code, at + 1)
        if last is not None and last > at + 2:
            return _joined(code[at + 2 : last])
        beside = 2
    first, last = at, at
    for _ in range(beside):
        first, last = edge(code, first, -1), edge(code, last, 1)
    return _joined(code[max(first, 0) : last + 1])


def edge(code: Sequence[Token], at: int, step: int) -> int:
    """The index where a statement ends, before or after one that is in it; a structure is a part of its declaration."""
    at += step
    depth = 0
    while 0 <= at < len(code) and (
        depth or code[at].text not in ENDS or _is_type(code, at, step)
    ):
        depth += (code[at].text == "}") - (code[at].text == "{") if step < 0 else 0
        at += step
    return at


def _is_type(code: Sequence[Token], at: int, step: int) -> bool:
    """Whether a brace ends the members of a structure whose attributes or variables follow."""
    return step < 0 and code[at].text == "}" and code[at + 1].text.startswith("__")


def _joined(code: Sequence[Token]) -> str:
    return _ATTRIBUTE.sub(r"__\1\2", " ".join(token.text for token in code))


def silent(
    order: str, own: Counter[Applied], other: Counter[Applied], before: bool
) -> dict[str, str]:
    """The names that a side applies more often to something than the other side does, and why they matter.

    ``order`` is the processor's byte order, "little" or "big"; ``before`` says whether it is the old side.
    """
    kinds = (*_SILENT, *_GUARDS[before], (_CONVERTS[order], SAME_ORDER))
    mine, theirs = (
        Counter(n for n, _ in each.elements() if _ONCE.fullmatch(n))
        for each in (own, other)
    )
    return dict.fromkeys(mine - theirs, ONCE) | {
        name: why.format(name)
        for name, _ in own - other
        for pattern, why in kinds
        if re.fullmatch(pattern, name)
    }


def bytewise(
    own: Sequence[Token], other: Sequence[Token], casts: Counter[tuple[str, str]]
) -> set[str]:
    """The memcpy() and the like that the other side has not, and the bytes of an array, if it has a cast instead.

    ``casts`` are the pairs of tokens that the other text has more often.
    """
    names = Counter(words(own)) - Counter(words(other))
    gone = _BYTEWISE + (r"|\[" if ("*", "(") in casts else "")
    return {n for n in names if ("*", ")") in casts and re.fullmatch(gone, n)}


def pairs(tokens: Sequence[Token]) -> Counter[tuple[str, str]]:
    """The tokens that follow each other."""
    return Counter((a.text, b.text) for a, b in zip(tokens, tokens[1:]))


def assembly(own: Sequence[Token], other: Sequence[Token]) -> list[tuple[int, int]]:
    """The start and end of each asm statement, or macro that has or is one, that the other side does not have."""
    mine, theirs = list(_assembly(tuple(own))), list(_assembly(tuple(other)))
    left = Counter(text for _, _, text in mine) - Counter(text for _, _, text in theirs)
    return [(start, end) for start, end, text in mine if text in left]


def _assembly(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, str]]:
    bodies = _bodies(tokens)
    begins = _begins(bodies)
    used = set[str]()
    for at, token in enumerate(tokens):
        if token.kind != DIRECTIVE and (
            ASM.fullmatch(token.text)
            or token.text in begins
            and [t.text for t in tokens[at + 1 : at + 2]] == ["("]
        ):
            first = at + 1
            while first < len(tokens) and tokens[first].text not in "(;":
                first += 1
            last = closing(tokens, first)
            if last is not None:
                said = words(tokens[at : last + 1])
                used.update(said)
                yield token.start, tokens[last].end, " ".join(said)
    for name, (_, body) in bodies.items():
        if name in begins:
            used |= body
    for name, (token, body) in reversed(bodies.items()):
        if name in begins or name in used:
            used |= body
            yield token.start, token.end, " ".join(words([token]))


def _bodies(tokens: Iterable[Token]) -> dict[str, tuple[Token, set[str]]]:
    """The macros that a text defines, each with the words of its body."""
    found: dict[str, tuple[Token, set[str]]] = {}
    for token in tokens:
        said = words([token]) if token.kind == DIRECTIVE else []
        if said[:1] == ["define"]:
            found[said[1]] = token, set(said[2:])
    return found


def _begins(bodies: Mapping[str, tuple[Token, set[str]]]) -> set[str]:
    """The macros that have an asm statement, also through others."""
    own = [name for name, (_, body) in bodies.items() if any(map(ASM.fullmatch, body))]
    return set(closure(own, lambda name: (n for n in bodies if name in bodies[n][1])))
