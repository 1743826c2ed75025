# SPDX-License-Identifier: GPL-2.0
"""What is known of some functions of the kernel and of compilers: contracts, allocations, and what calls do."""

from __future__ import annotations

from dataclasses import dataclass

# Functions that do nothing if an argument is NULL: its number from 0. The comments cite the test,
# which is the same in 6.1, 6.12 and 7.2. Not here: fput() and destroy_workqueue(), which have no
# such test, and clk_disable(), which only has it with the common clock framework.
NULL_IS_NOTHING = {
    # mm/slab_common.c, mm/slub.c: if (unlikely(ZERO_OR_NULL_PTR(object))) return
    "kfree": 0,
    # mm/slab_common.c: ksize(NULL) is 0, then kfree()
    "kfree_sensitive": 0,
    # mm/util.c: NULL is not in .rodata, then kfree()
    "kfree_const": 0,
    # mm/util.c, mm/slub.c: NULL is no vmalloc address, then kfree()
    "kvfree": 0,
    # mm/vmalloc.c: if (!addr) return
    "vfree": 0,
    # mm/slab_common.c: if (unlikely(!s) || …) return
    "kmem_cache_destroy": 0,
    # mm/mempool.c: if (unlikely(!pool)) return
    "mempool_destroy": 0,
    # mm/dmapool.c: if (unlikely(!pool)) return
    "dma_pool_destroy": 0,
    # fs/dcache.c: while (dentry), if (!dentry) return
    "dput": 0,
    # fs/inode.c: if (!inode) return
    "iput": 0,
    # fs/namespace.c: if (mnt)
    "mntput": 0,
    # drivers/base/core.c: if (dev)
    "put_device": 0,
    # lib/kobject.c: if (kobj)
    "kobject_put": 0,
    # drivers/of/dynamic.c: if (node)
    "of_node_put": 0,
    # drivers/base/property.c (6.1): fwnode_call_void_op(), which tests fwnode_has_op()
    "fwnode_handle_put": 0,
    # drivers/base/class.c: if (IS_ERR_OR_NULL(cls)) return
    "class_destroy": 0,
    # drivers/base/firmware_loader/main.c: if (fw)
    "release_firmware": 0,
    # net/core/skbuff.c: if (!skb_unref(skb)) return; skb_unref(NULL) is false. kfree_skb() is inline.
    "consume_skb": 0,
    "kfree_skb_reason": 0,
    "sk_skb_reason_drop": 1,
}

# Functions that oops if their first argument is NULL, as they take the lock that it points to
# (kernel/locking/). guard() of include/linux/cleanup.h tests the pointer again before it unlocks.
TAKES_LOCK = frozenset(
    "mutex_lock mutex_lock_nested mutex_lock_interruptible mutex_lock_interruptible_nested "
    "mutex_lock_killable mutex_lock_killable_nested mutex_trylock rt_mutex_lock "
    "down_read down_write down_read_nested down_write_nested down_read_killable "
    "down_write_killable down_read_trylock down_write_trylock down down_interruptible "
    "_raw_spin_lock _raw_spin_lock_irq _raw_spin_lock_bh _raw_spin_lock_irqsave "
    "_raw_read_lock _raw_read_lock_irq _raw_read_lock_bh _raw_read_lock_irqsave "
    "_raw_write_lock _raw_write_lock_irq _raw_write_lock_bh _raw_write_lock_irqsave".split()
)


# ___GFP_ZERO (include/linux/gfp_types.h), the same since 4.x.
ZERO = 0x100


@dataclass(frozen=True)
class Allocator:
    """Argument numbers of size and flags, from 0; without a size it allocates a page."""

    size: int | None = None
    flags: int | None = None


# include/linux/slab.h, vmalloc.h, device.h, net/sock.h. With CONFIG_SLAB_BUCKETS the flags of
# functions with a size and a node move by one argument.
ALLOCATORS = {
    "kmalloc": Allocator(0, 1),
    "__kmalloc": Allocator(0, 1),
    "__kmalloc_large": Allocator(0, 1),
    "kmalloc_large": Allocator(0, 1),
    "__kmalloc_node": Allocator(0, 1),
    "__kvmalloc_node": Allocator(0, 1),
    "kvmalloc_node": Allocator(0, 1),
    "__kmalloc_cache": Allocator(2, 1),
    "kmalloc_trace": Allocator(2, 1),
    "__kmalloc_cache_node": Allocator(3, 1),
    "kmem_cache_alloc": Allocator(None, 1),
    "kmem_cache_alloc_lru": Allocator(None, 2),
    "kmem_cache_alloc_node": Allocator(None, 1),
    "vmalloc": Allocator(0),
    "vzalloc": Allocator(0),
    "__vmalloc": Allocator(0, 1),
    "devm_kmalloc": Allocator(1, 2),
    "sock_kmalloc": Allocator(1, 2),
    "get_free_pages": Allocator(None, 0),
    "__get_free_pages": Allocator(None, 0),
    "get_zeroed_page": Allocator(),
}
BUCKETS = ("__kmalloc_node", "__kvmalloc_node")


def allocator(name: str, parameters: int) -> Allocator | None:
    """Return how a function with this name and number of parameters allocates, None if not."""
    name = name.removesuffix("_noprof")
    found = ALLOCATORS.get(name)
    if found is not None and name in BUCKETS and parameters == 4:
        return Allocator(0, 2)
    return found


# These allocate inside: mm/util.c, mm/slab_common.c, mm/slub.c (krealloc() in newer trees), lib/kasprintf.c.
DUPLICATORS = frozenset(
    "kstrdup kstrndup kmemdup kmemdup_nul kvmemdup krealloc kasprintf kvasprintf".split()
)


def fails_with_null(name: str, parameters: int) -> bool:
    """Whether a function returns memory or NULL, never an error pointer.

    The __free() of include/linux/slab.h tests for both.
    """
    plain = name.removesuffix("_noprof")
    return plain in DUPLICATORS or allocator(name, parameters) is not None


# Debugging checks, without effect on the caller; and calls that have none on what a run shows, but that a
# rewrite must keep.
SILENT = frozenset(
    "__might_fault __might_sleep __might_resched should_fail_usercopy __virt_addr_valid "
    "__tsan_func_entry __sanitizer_cov_trace_pc lockdep_assert_in_softirq".split()
)
IGNORED = SILENT | frozenset(
    "__check_object_size __rcu_read_lock __cond_resched __SCT__cond_resched "
    "__SCT__might_resched dynamic_might_resched".split()
)

# gcc knows that these read memory and write none (builtins.def).
PURE = frozenset(
    "strlen strnlen strcmp strncmp strcasecmp strncasecmp memcmp memchr bcmp "
    "strchr strrchr strstr strspn strcspn strpbrk".split()
)


# Functions that compilers call implicitly, with their number of arguments.
BUILTINS = {
    "strlen": 1,
    "strnlen": 2,
    "strcmp": 2,
    "strncmp": 3,
    "memcmp": 3,
    "bcmp": 3,
    "memchr": 3,
    "strchr": 2,
    "strrchr": 2,
    "strstr": 2,
    "strcpy": 2,
    "strncpy": 3,
    "strcat": 2,
    "__stack_chk_fail": 0,
    # Called from inline assembly (arch/x86/include/asm/preempt.h)
    "__SCT__preempt_schedule": 0,
    "__SCT__preempt_schedule_notrace": 0,
    "preempt_schedule_thunk": 0,
    "preempt_schedule_notrace_thunk": 0,
}


# Functions that compilers call implicitly, and that are done rather than called: those that need their
# memory apart, those that do not, and those that fill it.
COPIES = ("memcpy", "__memcpy")
MOVES = ("memmove", "__memmove")
FILLS = ("memset", "__memset")
IMITATED = frozenset((*COPIES, *MOVES, *FILLS))
# WARN() as a call in newer trees (arch/x86/include/asm/bug.h). Its bug table entry moves with the
# lines.
WARNINGS = ("__SCT__WARN_trap", "__WARN_trap")
