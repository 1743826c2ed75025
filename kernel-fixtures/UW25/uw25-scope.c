// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope for both directions that only writes
 * Rule: UW25
 * Known: rseq_reset_ids()
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw25_scope {
	u32 cpu;
	u32 node;
};

int uw25_scope(struct uw25_scope __user *to, u32 cpu, u32 node)
{
	scoped_user_rw_access(to, efault) {	/* want: UW25 */
		unsafe_put_user(cpu, &to->cpu, efault);
		unsafe_put_user(node, &to->node, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw25_scope_clean(struct uw25_scope __user *to, u32 cpu, u32 node)
{
	scoped_user_write_access(to, efault) {
		unsafe_put_user(cpu, &to->cpu, efault);
		unsafe_put_user(node, &to->node, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
