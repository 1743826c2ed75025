# SPDX-License-Identifier: GPL-2.0
"""LD302: loads that wait for each other."""

from __future__ import annotations

from hotcocci.findings import PREPARED
from hotcocci.rules.entry import LOADS, Rule, SPATCH, Words

RULE = Rule(
    code="LD302",
    title="loads that wait for each other",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/hot_load.cocci",
    tiers=(PREPARED,),
    doc=(
        "Four loads or more, each of which needs the one before, in a function that is hot by a profile or by "
        "the lists of hotcocci/tree/hot: no processor can begin one early. A prefix that other loads of the "
        "function share is held by a local where a compiler may not; for the rest a copy of the last member, "
        "nearer to the root, is what helps (47a150edc2ae, Cache user_ns in struct cred)."
    ),
    words=Words(
        "load shared pointers once",
        "Several chains of loads begin alike, and each load waits for the one before it. Load what they share once.",
    ),
    reasons={
        "chain-alone": (
            "No other chain of the function begins alike: only a copy of the last member nearer to the root would"
            " cut it."
        ),
        "credentials-prefix": "What the chains have in common are the credentials of the task, of which LD301 tells.",
        "chain-merged": "Nothing between the loads of what the chains have in common keeps a compiler from making them once.",
        "chain-changes": (
            "What the chains have in common may change between, or is loaded so that each load is made: a call, a"
            " store, a lock, a barrier, READ_ONCE() or a member of a union."
        ),
    },
    shared_reasons=(
        "ifdef",
        "unusual-form",
    ),
    must_save_loads=True,
    example="chain-prefix",
    options=(
        "`--profile FILE` tells which functions are hot; without it the lists of `hotcocci/tree/hot` do.",
    ),
    proof=(
        "The function does the same before and after, for all inputs where that can be shown, with fewer "
        "loads. A rewrite that saves no load is refused."
    ),
)
