// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what the kernel computes in windows without any call
 */
#include <asm/byteorder.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

struct clean_compares_and_shifts {
	__le32 mask;
	__le32 bits;
};

int clean_compares_and_shifts(struct clean_compares_and_shifts __user *from, unsigned long *set, u32 limit)
{
	__le32 raw;
	u32 mask;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(raw, &from->mask, efault);
	mask = min(le32_to_cpu(raw), limit);
	unsafe_get_user(raw, &from->bits, efault);
	WRITE_ONCE(*set, (READ_ONCE(*set) & ~(unsigned long)mask) | (le32_to_cpu(raw) & mask));
	barrier();
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* Its macro calls a function that does not exist, for sizes that it does not have. */
int clean_compares_and_shifts_processor(u32 __user *to)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(raw_smp_processor_id(), to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
