// SPDX-License-Identifier: GPL-2.0
/*
 * Title: eight bytes in a function for 32-bit programs of 64-bit kernels, beside one for all machines, as in sendfile64()
 * Row: functions for several kinds of programs are alike
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int other(struct karg *k, u64 __user *from)
{
	u64 value;

	if (copy_from_user(&value, from, sizeof(value)))	/* want classic: UA201 report u64-arm32 1 from read */ /* want scoped: UA201 rewrite safe 1 from read */
		return -EFAULT;
	k->q0 = value;
	return 0;
}

#ifdef CONFIG_64BIT
static int compat_other(struct karg *k, u64 __user *from)
{
	u64 value;

	if (copy_from_user(&value, from, sizeof(value)))	/* want classic: UA201 report other-stays 1 from read */ /* want scoped: UA201 rewrite safe 1 from read */
		return -EFAULT;
	k->q1 = value;
	return 0;
}

static int compat_alone(struct karg *k, u64 __user *from)
{
	u64 value;

	if (copy_from_user(&value, from, sizeof(value)))	/* want: UA201 rewrite safe 1 from read */
		return -EFAULT;
	k->q1 += value;
	return 0;
}
#endif

int subject(struct karg *k, struct uarg __user *u)
{
#ifdef CONFIG_64BIT
	int err = compat_other(k, &u->q1) || compat_alone(k, &u->q0);

	if (err)
		return -EFAULT;
#endif
	return other(k, &u->q0);
}
