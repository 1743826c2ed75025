# SPDX-License-Identifier: GPL-2.0
"""Names of kernel functions and macros that must not be called in a user access window."""

from __future__ import annotations

import re

# Functions that may sleep: UW09 instead of UW06. Includes names that only occur in objects.
SLEEPS = frozenset(
    "schedule cond_resched __cond_resched might_sleep __might_sleep __might_resched mutex_lock mutex_lock_interruptible "
    "mutex_lock_killable down down_read down_write down_interruptible down_killable msleep msleep_interruptible "
    "usleep_range usleep_range_state ssleep wait_for_completion wait_on_bit preempt_schedule "
    "preempt_schedule_notrace preempt_schedule_thunk dynamic_cond_resched dynamic_might_resched "
    "__SCT__cond_resched __SCT__might_resched lock_page folio_lock "
    "mmap_read_lock mmap_write_lock synchronize_rcu flush_work".split()
)
SLEEPING_FAMILIES = (
    "schedule_timeout",
    "wait_event",
    "mutex_lock_",
    "down_read_",
    "down_write_",
)
# Functions that open and close user access themselves: UW10
OPENS = frozenset(
    "get_user put_user __get_user __put_user copy_from_user copy_to_user __copy_from_user __copy_to_user "
    "_copy_from_user _copy_to_user copy_in_user clear_user __clear_user strncpy_from_user strnlen_user "
    "copy_struct_from_user get_user_inline put_user_inline raw_copy_from_user raw_copy_to_user".split()
)


# String functions
COPIES = frozenset("memcpy memmove memset memcmp memchr strlen strcpy strncpy".split())
# Macros that always call a function, and inline functions that do with several processors or without
# FORTIFY_SOURCE, which expands a strscpy() of a constant
CALLS = re.compile(
    r"_?printk(?:_once|_ratelimited)?|(?:pr|dev|netdev)_(?:emerg|alert|crit|err|warn|notice|info|debug|dbg)\w*|WARN(?:_ONCE)?|trace_\w+"
    r"|strscpy(?:_pad)?"
    r"|(?:raw_)?(?:spin|read|write)_(?:try|un)?lock(?:_bh|_irq|_irqsave|_irqrestore|_nested)?"
)


def is_copy(name: str) -> bool:
    """Whether a name is a string function, which is a call unless its size is constant."""
    return name in COPIES


def makes_call(name: str) -> bool:
    """Whether what has this name always calls a function: it prints, traces, takes a lock or copies a string."""
    return CALLS.fullmatch(name) is not None


def may_sleep(name: str) -> bool:
    """Whether a function of this name may sleep."""
    return name in SLEEPS or name.startswith(SLEEPING_FAMILIES)
