# SPDX-License-Identifier: GPL-2.0
"""The kernel's contracts for functions that clean-ups add or remove, such as kfree(NULL)."""

from __future__ import annotations

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
