# SPDX-License-Identifier: GPL-2.0
"""LD302: chain of dependent loads."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SPATCH
from hotcocci.rules.entry import LOADS, Rule, Words

RULE = Rule(
    code="LD302",
    title="chain of dependent loads",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/hot_load.cocci",
    tiers=(PREPARED,),
    doc=(
        "Four or more dependent loads in a function that is hot by a profile or by the lists of "
        "hotcocci/tree/hot: no processor can start one early. A prefix that other loads of the function share goes "
        "to a local variable if the compiler cannot do that itself; otherwise a copy of the last member closer to "
        "the root helps (47a150edc2ae, Cache user_ns in struct cred)."
    ),
    words=Words(
        "load shared pointers once",
        "Several chains of dependent loads have a common prefix. Load it once.",
    ),
    reasons={
        "chain-alone": (
            "No other chain in the function has a common prefix with it; only a copy of the last member closer to"
            " the root would shorten it."
        ),
        "credentials-prefix": "The common prefix is the credentials of the task, which LD301 reports.",
        "chain-merged": "Nothing between the chains keeps the compiler from loading the common prefix once.",
        "chain-changes": (
            "The common prefix may change between the chains, or must be loaded each time: a call, a store, a lock,"
            " a barrier, READ_ONCE() or a union."
        ),
    },
    shared_reasons=(
        "ifdef",
        "unusual-form",
    ),
    must_save_loads=True,
    example="chain-prefix",
    options=(
        "`--profile FILE` says which functions are hot; the default is the lists in `hotcocci/tree/hot`.",
        "`run.py loads FILE` shows the chains in the machine code, through inlined functions (docs/loads.md).",
    ),
    proof=(
        "The function behaves the same before and after, for all inputs if that can be shown, with fewer "
        "loads. A rewrite that saves no load is refused."
    ),
)
