// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of the window is a parameter of a system call, which no test makes large enough
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

struct uw05_system_call {
	u32 first;
	u32 second;
	u64 third;
};

SYSCALL_DEFINE3(uw05_system_call, struct uw05_system_call __user *, to, long, size, u32, value)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, &to->first, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

SYSCALL_DEFINE3(uw05_system_call_index, struct uw05_system_call __user *, to, unsigned int, at, u32, value)
{
	u32 __user *words = (u32 __user *)to;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, words + at, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

SYSCALL_DEFINE3(uw05_system_call_clean, struct uw05_system_call __user *, to, size_t, size, u32, value)
{
	if (size < sizeof(to->first))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, &to->first, efault);
	if (size >= sizeof(*to))
		unsafe_put_user(value, &to->third, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

SYSCALL_DEFINE3(uw05_system_call_index_clean, struct uw05_system_call __user *, to, unsigned int, at, u32, value)
{
	u32 __user *words = (u32 __user *)to;

	if (at >= sizeof(*to) / sizeof(*words) || !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, words + at, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

SYSCALL_DEFINE3(uw05_system_call_words_clean, u32 __user *, to, unsigned int, words, u32, value)
{
	unsigned int i;

	if (words > 64)
		return -EINVAL;
	if (!user_write_access_begin(to, words * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < words; i++)
		unsafe_put_user(value, to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_system_call_known(size_t size);

/* What another function is given, it may test. */
SYSCALL_DEFINE2(uw05_system_call_tested_clean, struct uw05_system_call __user *, to, size_t, size)
{
	u32 value;

	if (uw05_system_call_known(size))
		return -EINVAL;
	if (!user_read_access_begin(to, size))
		return -EFAULT;
	unsafe_get_user(value, &to->first, efault);
	user_read_access_end();
	return value;
efault:
	user_read_access_end();
	return -EFAULT;
}
