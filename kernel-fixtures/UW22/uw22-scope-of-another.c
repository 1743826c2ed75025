// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer of an earlier scope is used in a scope on another
 * Rule: UW22
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_scope_of_another {
	u32 head;
	u32 tail;
};

int uw22_scope_of_another(struct uw22_scope_of_another __user *u,
			  struct uw22_scope_of_another __user *w, u32 value)
{
	scoped_user_write_access(u, efault)
		unsafe_put_user(value, &u->head, efault);
	scoped_user_write_access(w, efault)
		unsafe_put_user(value, &u->tail, efault);	/* want: UW22 */
	return 0;
efault:
	return -EFAULT;
}

int uw22_scope_of_another_clean(struct uw22_scope_of_another __user *u,
				struct uw22_scope_of_another __user *w, u32 value)
{
	scoped_user_write_access(u, efault)
		unsafe_put_user(value, &u->head, efault);
	scoped_user_write_access(w, efault)
		unsafe_put_user(value, &w->tail, efault);
	return 0;
efault:
	return -EFAULT;
}
