# SPDX-License-Identifier: GPL-2.0
"""Accesses that can be rewritten into windows."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SAFE
from hotcocci.rules.entry import SPATCH, Rule

ACCESS_RULES = (
    Rule(
        code="UA101",
        title="run of user accesses",
        engines=(SPATCH,),
        script="cocci/user_access_run.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "Two or more get_user() or put_user() in a straight line on one user object. Each opens and closes "
            "user access and checks the range again; one window with unsafe_get_user() or unsafe_put_user() does "
            "that once."
        ),
    ),
    Rule(
        code="UA102",
        title="loop of user accesses",
        engines=(SPATCH,),
        script="cocci/user_access_loop.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "get_user() or put_user() on consecutive elements in a loop whose bound is known before it starts. One "
            "window around the loop opens user access and checks the range once instead of once per element."
        ),
    ),
    Rule(
        code="UA201",
        title="copy of a scalar",
        engines=(SPATCH,),
        script="cocci/small_copy.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "copy_from_user() or copy_to_user() of 1, 2, 4 or 8 bytes that are one scalar. The copy calls a routine "
            "made for large ones; get_user() and put_user() access a scalar inline or by a short call, and are atomic "
            "where the address is aligned."
        ),
    ),
    Rule(
        code="UA202",
        title="copy of a small structure",
        engines=(SPATCH,),
        script="cocci/small_copy.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "copy_from_user() or copy_to_user() of a structure of up to 32 bytes. The copy calls a routine made for "
            "large ones; a window fetches the members one by one, or stores the whole by unsafe_copy_to_user()."
        ),
    ),
    Rule(
        code="UA203",
        title="copy of a size that run time knows",
        engines=(SPATCH,),
        script="cocci/small_copy.cocci",
        tiers=(PREPARED,),
        doc=(
            "A dispatcher copies as many bytes as an ioctl command says, or a function as many as its caller says, and "
            "these are a few words most often. A helper with a switch over the sizes that the commands or callers "
            "really give copies them inline, and hands all others to copy_from_user() or copy_to_user(). The sizes are "
            "read from the headers: those of at least one command in 40, up to 64 bytes, eight of them at most. Code "
            "grows by them, and a copy that faults half-way may have moved other bytes than before. In functions that run "
            "often it is also told of counts and lengths that are given at run time: nothing says which of them are "
            "frequent, so nothing is rewritten."
        ),
    ),
)
