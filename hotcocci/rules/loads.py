# SPDX-License-Identifier: GPL-2.0
"""Loads that a function makes again, or one behind the other, and that can be saved."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SAFE
from hotcocci.rules.entry import SPATCH, Rule

LOAD_RULES: tuple[Rule, ...] = (
    Rule(
        code="LD301",
        title="credentials loaded again behind a call",
        engines=(SPATCH,),
        script="cocci/credential_reload.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "Two or more loads of current->cred in a function, by current_cred(), current_user_ns(), "
            "current_fsuid() or another accessor of linux/cred.h, with a call between. No one but the task "
            "itself changes its credentials, which a compiler cannot know: a local holds them for all."
        ),
    ),
    Rule(
        code="LD302",
        title="loads that wait for each other",
        engines=(SPATCH,),
        script="cocci/hot_load.cocci",
        tiers=(PREPARED,),
        doc=(
            "Four loads or more, each of which needs the one before, in a function that is hot by a profile or by "
            "the lists of hotcocci/rules/hot: no processor can begin one early. A prefix that other loads of the "
            "function share is held by a local where a compiler may not; for the rest a copy of the last member, "
            "nearer to the root, is what helps (47a150edc2ae, Cache user_ns in struct cred)."
        ),
    ),
    Rule(
        code="LD303",
        title="a call of what only loads, beside the same loads",
        engines=(SPATCH,),
        script="cocci/hot_load.cocci",
        tiers=(PREPARED,),
        doc=(
            "A hot function calls one of another file that does no more than to load, to compare and to return, "
            "and loads the same itself. Inline the two would share the loads, and there would be no call."
        ),
    ),
    Rule(
        code="LD304",
        title="a narrow local that is computed with",
        engines=(SPATCH,),
        script="cocci/hot_load.cocci",
        tiers=(PREPARED,),
        doc=(
            "A local of 8 or 16 bits in a hot function, of which a compiler has to mask what is computed. It "
            "becomes an unsigned int where nothing it is given can be cut off by the narrow type and no use tells "
            "the types apart, and where the code of some target gets smaller."
        ),
    ),
)
