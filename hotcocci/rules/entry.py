# SPDX-License-Identifier: GPL-2.0
"""The rulebook's entry for one rule: data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hotcocci.findings import PREPARED, SAFE, SPATCH
from hotcocci.tree.select import Mention, calls

SHARED = {
    "below-min-run": "Fewer accesses than --min-run.",
    "no-gain-arch": (
        "user_access_begin() is only access_ok() on this architecture: each access still opens and closes"
        " user access, so a window saves nothing."
    ),
    "no-window-api": (
        "The tree has no user_access_begin(pointer, size), which checks the range, or its unsafe_get_user() and"
        " unsafe_put_user() take no label: rewrites write no other form (include/linux/uaccess.h)."
    ),
    "second-base": "Accesses through another pointer are in between; a window has one base.",
    "base-changes": (
        "The user pointer, or an object that it is read from, is assigned or declared between the accesses; only"
        " p++ inside an access and p += sizeof(T) after one of a T are followed."
    ),
    "base-in-call": (
        "The user pointer is not a variable that a window can use, and its type is not known well enough to"
        " declare one."
    ),
    "cast-pointer": (
        "The user pointer is cast inside the access, and not from the address of a member of that size or"
        " more: its type does not give the range of the window."
    ),
    "call-between": (
        "A function or macro is called between the accesses; it may not run while user access is open."
    ),
    "statement-between": (
        "A loop, a jump or another statement between the accesses cannot be part of a window."
    ),
    "different-exits": "The accesses have different exit paths on a fault; one label cannot serve both.",
    "fault-handled": "On a fault the code goes on, or does more than return.",
    "fault-in-macro": (
        "A macro decides what follows a fault, and may leave the function: a label cannot take its place."
    ),
    "work-before-test": (
        "No exit on the error follows the last access directly; leaving early would skip what comes first."
    ),
    "value-read-on-fault": (
        "A variable that get_user() zeroes on a fault may be read afterwards; unsafe_get_user() does not write it."
    ),
    "double-fetch": "The same user word is fetched twice; the number of fetches must stay.",
    "u64-arm32": (
        "Eight bytes are fetched in code that processors of 32 bits can run: on arm32, __get_user() of eight bytes"
        " does not link (arch/arm/include/asm/uaccess.h), nor does get_user() without an MMU; on sparc32 both return"
        " the upper half alone (arch/sparc/include/asm/uaccess_32.h)."
    ),
    "ifdef": (
        "A preprocessor conditional is between the accesses or around them: some configurations lack part of"
        " the code."
    ),
    "cleanup-scope": (
        "A guard() or __free() variable is in scope at the accesses or at the label, but not at both; a jump"
        " must not cross it."
    ),
    "no-place-for-label": "The exit path cannot move to a label at the end of the function.",
    "variable-index": (
        "A variable indexes what may be an array: the range is not known, or UBSAN may call its bounds check"
        " inside the window."
    ),
    "range-unknown": (
        "The element is before the user pointer, at an offset that is not known, in an array at the end of the"
        " structure, or in one of unknown size: sizeof() of the structure may not cover it."
    ),
    "bitfield": "The access is to a bit-field or a structure, not to a scalar.",
    "mixed-condition": "The access shares its condition or its statement with something else.",
    "result-ignored": (
        "The result of the accesses is ignored: after a fault the next one is still made, in a window it would"
        " not be."
    ),
    "side-effect-argument": (
        "An argument has an assignment, an increment, a call or a user access in it; the rewrite may evaluate"
        " it more than once."
    ),
    "atomic-context": (
        "A lock that forbids sleeping is held and page faults are not disabled: a fault here may sleep, which"
        " is a bug of its own."
    ),
    "type-unknown": (
        "The type of the kernel object is not known, or it differs between architectures or configurations."
    ),
    "size-differs": "The kernel pointer does not lead to a single object of the size that is copied.",
    "bool": "A bool is copied: the copy keeps any byte from user space, an access would make it 0 or 1.",
    "count-used": (
        "The number of bytes left is returned, passed on or computed with; an access gives -EFAULT instead."
    ),
    "result-unclear": "The use of the copy's result was not understood.",
    "unaligned": (
        "The pointer is to bytes, so user space may pass any address: the copy takes it, but get_user() and"
        " put_user() fault where a machine has no unaligned accesses (sparc64)."
    ),
    "unusual-form": (
        "A load is in a form that cannot be replaced, or there is no name or no place for a local variable."
    ),
    "no-gain": (
        "The rewrite saves nothing on any processor: no cycles on the non-faulting path, by an estimate or as it"
        " was compiled, or few for code that grows, or none of the loads that it is for; the message says which."
    ),
    "small-gain": (
        "The rewrite saves too little for how seldom the code runs, or no more than some processor loses, or is in a"
        " sample or a test; --show cold offers it (docs/cycles.md)."
    ),
    "one-copy": (
        "The lines are new, the code is not known to run often, or a window is not possible, and the accesses make up"
        " a structure or an array: one copy of it is simpler than a window."
    ),
    "overlaps": "Another rule rewrites the same lines; this rewrite is looked for again after that one.",
    "comment": "The finding is a comment that should allow something here, and is wrong or allows nothing.",
    "failed-proof": "The rewrite did not pass its proof; the message says what failed.",
}
"""One sentence for each reason."""

# Why a window cannot take the place of accesses, for all rules that open one
OF_WINDOWS = (
    *("below-min-run", "no-gain-arch", "no-window-api", "call-between"),
    *("statement-between", "different-exits", "fault-handled", "fault-in-macro"),
    *("value-read-on-fault", "ifdef", "cleanup-scope", "no-place-for-label"),
    *("variable-index", "mixed-condition", "result-ignored", "side-effect-argument"),
)
# Why one cannot that goes through one pointer several times
OF_POINTERS = (
    "second-base",
    "base-changes",
    "base-in-call",
    "cast-pointer",
    "double-fetch",
)
# Why hotcocci.rewrite.copies.instead leaves a call as it is
OF_CALLS = (
    "no-gain-arch",
    "ifdef",
    "side-effect-argument",
    "type-unknown",
    "size-differs",
    "count-used",
    "result-unclear",
    "unaligned",
)


if TYPE_CHECKING:
    from hotcocci.rewrite.copies.calls import Called as Called
    from hotcocci.rewrite.window import Verdict as Verdict
else:
    # What judges of calls are annotated with; every command imports rules, few their decisions.
    Called = Verdict = Any

# What options change, for the pages of several rules
WITH_API = "`--api classic|masked|scoped` chooses how windows are opened; the default is the best the tree has."
WITH_MIN_RUN = (
    "`--min-run N` leaves out runs of fewer than N accesses; the default is 2, and cycles decide what is offered"
    " (docs/cycles.md)."
)
WITH_PREPARED = (
    "`--tier prepared` adds rewrites that need a preparation, which the finding names."
)
WITH_PROFILE = "`--profile FILE` says which functions are hot; by default that is derived from who calls them (docs/heat.md)."
SAME_ACCESSES = (
    "The function behaves the same before and after, for all inputs if that can be shown: the same "
    "accesses in the same order, the same values, the same return value. On a fault the return value is "
    "the same; what else may differ is named in the finding, and nothing does in tier safe."
)
# Families of rules, in the order in which they are listed and run
ACCESSES = "accesses"
LOADS = "loads"
WINDOWS = "windows"
FAMILIES = (ACCESSES, LOADS, WINDOWS)


@dataclass(frozen=True)
class Words:
    """Text on a rule's rewrites for a changelog: a title in the imperative, and sentences on what and why."""

    title: str
    text: str


@dataclass(frozen=True)
class Rule:
    """One rule: who finds it, and what can be done about it.

    ``engines`` are the engines that guarantee to find every violation they can see; no
    other engine ever reports the rule. ``script`` is the semantic patch that finds it,
    relative to the checkout, if there is one, and ``mention`` what a file
    must mention to have matches; for a rule on each call by itself ``names`` are those of the calls.
    ``tiers`` are the tiers of its rewrites, empty for a rule that only reports. ``on_request`` rules are checked only if named,
    as their reports are not errors. The reports of a ``hygiene`` rule are advice, shown
    once per cause and only if all reports are requested. ``doc`` is for readers of a
    finding.

    ``words`` are the text for a commit, ``needs`` that for one before it with the edits of
    other files that its rewrites need, if there are any; "{calls}" in the first is replaced by ``calls``, by
    the direction of its rewrites. ``reasons`` are the rule's own reasons not to
    rewrite, each with a sentence, and ``shared_reasons`` are the names of those from
    reasons.py that it gives as well. A rewrite is refused if it saves no load
    (``must_save_loads``).
    Its findings are whole loops with ``loops``. ``alike`` is set if rewrites of different functions look alike, so that readers expect all of them.

    For the rule's page: ``example`` is a case of kernel-fixtures/CODE, ``options`` are
    command-line options that change what is found or written, ``proof`` is what is
    proved about a rewrite.
    """

    code: str
    title: str
    doc: str
    family: str = ACCESSES
    engines: tuple[str, ...] = (SPATCH,)
    script: str = ""
    mention: Mention | None = None
    names: frozenset[str] = frozenset()
    tiers: tuple[str, ...] = ()
    on_request: bool = False
    hygiene: bool = False
    words: Words | None = None
    needs: Words | None = None
    calls: Mapping[str, str] = field(default_factory=dict, hash=False)
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    shared_reasons: tuple[str, ...] = ()
    must_save_loads: bool = False
    alike: bool = False
    loops: bool = False
    example: str = ""
    options: tuple[str, ...] = ()
    proof: str = ""

    def meaning(self, reason: str) -> str:
        """The sentence of a reason not to rewrite. Raises KeyError if there is no such reason."""
        return self.reasons.get(reason) or SHARED[reason]


def completed(entry: Rule, stem: str) -> Rule:
    """The entry of a rule on each call with what follows from its names, and the stem of its files."""
    return replace(
        entry,
        script=f"cocci/{stem}.cocci",
        mention=calls(entry.names),
        tiers=(SAFE, PREPARED),
        shared_reasons=(*OF_CALLS, *entry.shared_reasons),
        example=stem.replace("_", "-"),
    )
