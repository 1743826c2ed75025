// SPDX-License-Identifier: GPL-2.0
/* Calls in statements in brackets, and macros with a window that they leave by a label of the caller */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/uaccess.h>
struct expressions { int a; int b; long c; };

/* a statement in brackets sleeps */
int expressions_f1(int *k, struct expressions __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(({ msleep(1); k[0]; }), &u->a, efault);	/* want: UW09 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* one that computes */
int expressions_f2(int *k, struct expressions __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(({ int n = k[0]; n * READ_ONCE(k[1]); }), &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* one with assembly, which calls nothing */
int expressions_f5(int *k, struct expressions __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(({ int n; asm(EX_TABLE(1b, 2b) : "=r" (n) : "r" (k[0])); n; }), &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* it sleeps before the window */
int expressions_f3(int *k, struct expressions __user *u)
{
	int value = ({ msleep(1); k[0]; });

	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(value, &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
#define STORE(x, to, label)				\
do {							\
	if (!user_write_access_begin(to, sizeof(*(to))))	\
		return -EFAULT;				\
	unsafe_put_user(x, to, label);			\
	user_write_access_end();			\
} while (0)
/* the macro jumps here with its window open */
int expressions_f4(int *k, struct expressions __user *u)
{
	STORE(k[0], &u->a, efault);	/* not followed */
	STORE(k[1], &u->b, efault);
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* one of two ways of an expression ends it */
int expressions_f6(int *k, struct expressions __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	k[1] ? user_write_access_end() : (void)0;
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}
/* the other one ends it as well */
int expressions_f7(int *k, struct expressions __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	k[1] ? user_write_access_end() : user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* an operand of && ends it */
int expressions_f8(int *k, struct expressions __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	k[1] && (user_write_access_end(), 1);
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}
/* a part of a value ends it */
int expressions_f9(int *k, struct expressions __user *u)
{
	int ret;

	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	ret = k[1] ? (user_write_access_end(), 1) : 0;	/* not followed */
	return ret;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* statements in brackets open it */
int expressions_f10(int *k, struct expressions __user *u)
{
	return ({
		int ret = -EFAULT;

		if (user_read_access_begin(u, sizeof(*u))) {	/* not followed */
			unsafe_get_user(k[0], &u->a, efault);
			ret = 0;
		}
		ret;
	});
efault:
	user_read_access_end();
	return -EFAULT;
}
/* 0 stands first, and the window is ended where the begin failed */
int expressions_f11(int *k, struct expressions __user *u)
{
	if (false == user_write_access_begin(u, sizeof(*u))) {	/* want: UW01 */
		user_write_access_end();	/* want: UW02 */
		return -EFAULT;
	}
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* a lock is taken inside: a call where there are several processors */
int expressions_f12(int *k, struct expressions __user *u, spinlock_t *lock)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	spin_lock(lock);	/* want: UW06 */
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	spin_unlock(lock);
	return 0;
efault:
	user_write_access_end();
	spin_unlock(lock);
	return -EFAULT;
}
/* a return between brackets, before and after the window */
int expressions_returns(int *k, int __user *u)
{
	int value = ({
		if (*k > 10)
			return -ERANGE;
		*k;
	});

	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(value, u, efault);
	user_write_access_end();
	return ({ if (!value) return 1; 0; });
efault:
	user_write_access_end();
	return -EFAULT;
}
