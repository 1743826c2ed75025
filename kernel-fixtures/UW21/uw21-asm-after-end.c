// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an asm that may fault accesses user memory after the end
 * Rule: UW21
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw21_asm_after_end(u32 __user *to, u32 value)
{
	int err = 0;

	if (!user_access_begin(to, sizeof(*to)))
		return -EFAULT;
	user_access_end();
	asm volatile("1: xchgl %2, %1\n2:\n" _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0) : "+r" (err), "+m" (*to) : "r" (value));	/* want[clang-tidy]: UW21 */
	return err;
}

int uw21_asm_after_end_clean(u32 __user *to, u32 value)
{
	int err = 0;

	if (!user_access_begin(to, sizeof(*to)))
		return -EFAULT;
	asm volatile("1: xchgl %2, %1\n2:\n" _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0) : "+r" (err), "+m" (*to) : "r" (value));
	user_access_end();
	return err;
}

int uw21_asm_after_end_opened(u32 __user *to, u32 value)
{
	int err = 0;

	if (!user_access_begin(to, sizeof(*to)))
		return -EFAULT;
	user_access_end();
	stac();
	asm volatile("1: xchgl %2, %1\n2:\n" _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0) : "+r" (err), "+m" (*to) : "r" (value));
	clac();
	asm volatile(ASM_STAC "\n1: xchgl %2, %1\n2: " ASM_CLAC "\n" _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0) : "+r" (err), "+m" (*to) : "r" (value));
	return err;
}
