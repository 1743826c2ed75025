// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is restored is another state than the one that was saved, or its low bits
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

extern void uw02_restores_another_report(unsigned long at);

int uw02_restores_another(u32 __user *to, u32 value, unsigned long before)
{
	unsigned long flags;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	flags = user_access_save();
	uw02_restores_another_report(flags);
	user_access_restore(before);	/* want[clang-tidy]: UW02 */
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The state of powerpc has 64 bits. */
int uw02_restores_another_int(u32 __user *to, u32 value)
{
	unsigned int flags;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	flags = user_access_save();
	uw02_restores_another_report(value);
	user_access_restore(flags);	/* want[clang-tidy]: UW02 */
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

void uw02_restores_another_first(unsigned long at)
{
	unsigned long first = user_access_save(), second;

	uw02_restores_another_report(at);
	second = user_access_save();
	uw02_restores_another_report(at + 1);
	user_access_restore(first);	/* want[clang-tidy]: UW02 */
	user_access_restore(second);	/* want[clang-tidy]: UW02 */
}

void uw02_restores_another_clean(unsigned long at)
{
	unsigned long first = user_access_save(), second;

	uw02_restores_another_report(at);
	second = user_access_save();
	uw02_restores_another_report(at + 1);
	user_access_restore(second);
	user_access_restore(first);
}

int uw02_restores_another_unsaved(unsigned long at, bool quiet)
{
	unsigned long flags = 0;
	int ret = -EAGAIN;

	if (quiet)
		goto out;
	flags = user_access_save();
	uw02_restores_another_report(at);
	ret = 0;
out:
	user_access_restore(flags);	/* want[clang-tidy]: UW02 */
	return ret;
}

int uw02_restores_another_unsaved_clean(unsigned long at, bool quiet)
{
	unsigned long flags = 0;

	if (!quiet)
		flags = user_access_save();
	uw02_restores_another_report(at);
	if (!quiet)
		user_access_restore(flags);
	return 0;
}
