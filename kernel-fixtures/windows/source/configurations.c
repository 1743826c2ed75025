// SPDX-License-Identifier: GPL-2.0
/* Clean: windows under #if */
#include <linux/errno.h>
#include <linux/uaccess.h>
#include <linux/version.h>
struct configurations { int a; int b; long c; };

/* version begin */
int configurations_f1(int *k, struct configurations __user *u)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 0, 0)
	if (!user_write_access_begin(VERIFY_WRITE, u, sizeof(*u)))
		return -EFAULT;
#else
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
#endif
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* only the condition line differs */
int configurations_f2(int *k, struct configurations __user *u)
{
#ifdef CONFIG_X86
	if (!user_write_access_begin(u, sizeof(*u)))
#else
	if (!user_access_begin(u, sizeof(*u)))	/* not followed */
#endif
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
#ifdef CONFIG_X86
	user_write_access_end();
#else
	user_access_end();
#endif
	return 0;
efault:
#ifdef CONFIG_X86
	user_write_access_end();
#else
	user_access_end();
#endif
	return -EFAULT;
}
/* ifdef around begin and end alike */
int configurations_f3(int *k, struct configurations __user *u)
{
#ifdef CONFIG_COMPAT
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
#endif
	return 0;
#ifdef CONFIG_COMPAT
efault:
	user_write_access_end();
	return -EFAULT;
#endif
}
/* without else: begin by ifdef, end by the same ifdef, in between plain code */
int configurations_f4(int *k, struct configurations __user *u)
{
#ifdef CONFIG_COMPAT
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
#endif
	k[1] = k[0];
#ifdef CONFIG_COMPAT
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
#endif
	return 0;
#ifdef CONFIG_COMPAT
efault:
	user_write_access_end();
	return -EFAULT;
#endif
}
/* ifdef / else with put_user as other */
int configurations_f5(int *k, struct configurations __user *u)
{
#ifdef CONFIG_X86
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
#else
	return put_user(k[0], &u->a);
#endif
}
/* ifndef: the same condition the other way around, without else */
int configurations_f19(int *k, struct configurations __user *u)
{
#ifdef CONFIG_COMPAT
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
#endif
#ifndef CONFIG_COMPAT
	return put_user(k[0], &u->a);
#endif
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* if-elif-else, three begins */
int configurations_f6(int *k, struct configurations __user *u)
{
#if defined(CONFIG_X86)
	if (!user_access_begin(u, sizeof(*u)))
		return -EFAULT;
#elif defined(CONFIG_PPC)
	if (!user_access_begin(u, sizeof(*u)))
		return -EFAULT;
#else
	if (!user_access_begin(u, 2 * sizeof(*u)))
		return -EFAULT;
#endif
	unsafe_put_user(k[0], &u->a, efault);
	unsafe_get_user(k[0], &u->b, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
/* ifdef with two whole functions */
#ifdef CONFIG_X86
static __always_inline bool configurations_open(struct configurations __user *u)
{
	return user_write_access_begin(u, sizeof(*u));
}
static __always_inline void configurations_close(void)
{
	user_write_access_end();
}
#else
static __always_inline bool configurations_open(struct configurations __user *u)
{
	return access_ok(u, sizeof(*u));
}
static __always_inline void configurations_close(void)
{
}
#endif
int configurations_f7(int *k, struct configurations __user *u)
{
	if (!configurations_open(u))	/* not followed */
		return -EFAULT;
#ifdef CONFIG_X86
	unsafe_put_user(k[0], &u->a, efault);
#else
	if (__put_user(k[0], &u->a))
		goto efault;
#endif
	configurations_close();
	return 0;
efault:
	configurations_close();
	return -EFAULT;
}
/* masked, can_do_masked */
int configurations_f8(int *k, struct configurations __user *u)
{
	if (can_do_masked_user_access())
		u = masked_user_access_begin(u);
	else if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* version begin at end of else branch with masked */
int configurations_f9(int *k, struct configurations __user *u)
{
#ifdef masked_user_access_begin
	u = masked_user_access_begin(u);
#else
	if (!user_access_begin(u, sizeof(*u)))
		return -EFAULT;
#endif
	unsafe_put_user(k[0], &u->a, efault);
	unsafe_get_user(k[0], &u->a, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
/* end in different branches */
int configurations_f10(int *k, struct configurations __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
#ifdef CONFIG_DEBUG_KERNEL
	user_write_access_end();
	k[1]++;
#else
	user_write_access_end();
#endif
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* return in both */
int configurations_f11(int *k, struct configurations __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
#ifdef CONFIG_DEBUG_KERNEL
	user_write_access_end();
	return 1;
#else
	user_write_access_end();
	return 0;
#endif
efault:
	user_write_access_end();
	return -EFAULT;
}
/* else if across ifdef */
int configurations_f12(int *k, struct configurations __user *u)
{
	if (!k)
		return -EINVAL;
#ifdef CONFIG_X86
	else if (can_do_masked_user_access())
		u = masked_user_access_begin(u);
#endif
	else if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* if 0 */
int configurations_f13(int *k, struct configurations __user *u)
{
#if 0
	if (!user_access_begin(u, sizeof(*u)))
		return -EFAULT;
#endif
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* if 1 else */
int configurations_f14(int *k, struct configurations __user *u)
{
#if 1
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
#else
	if (!user_access_begin(u, sizeof(*u)))
		return -EFAULT;
#endif
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* IS_ENABLED correlated */
int configurations_f15(int *k, struct configurations __user *u)
{
	int ret = 0;

	if (IS_ENABLED(CONFIG_COMPAT) && !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	if (IS_ENABLED(CONFIG_COMPAT))
		unsafe_put_user(k[0], &u->a, efault);
	goto out;
efault:
	ret = -EFAULT;
out:
	if (IS_ENABLED(CONFIG_COMPAT))
		user_write_access_end();
	return ret;
}
/* ifdef both flags */
int configurations_f16(int *k, struct configurations __user *u)
{
#ifdef CONFIG_COMPAT
	bool open = user_write_access_begin(u, sizeof(*u));
#else
	bool open = user_access_begin(u, sizeof(*u));	/* want: UW25 */
#endif
	if (!open)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
#ifdef CONFIG_COMPAT
	user_write_access_end();
#else
	user_access_end();
#endif
	return 0;
efault:
#ifdef CONFIG_COMPAT
	user_write_access_end();
#else
	user_access_end();
#endif
	return -EFAULT;
}
/* a macro with a begin of its own after the function */
int configurations_f17(int *k, struct configurations __user *u)
{
#ifdef CONFIG_COMPAT
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
#else
	if (!user_access_begin(u, 2 * sizeof(*u)))	/* want: UW25 */
		return -EFAULT;
#endif
	unsafe_put_user(k[0], &u->a, efault);
#ifdef CONFIG_COMPAT
	user_write_access_end();
#else
	user_access_end();
#endif
	return 0;
efault:
#ifdef CONFIG_COMPAT
	user_write_access_end();
#else
	user_access_end();
#endif
	return -EFAULT;
}
#define CONFIGURATIONS_BEGIN(p) do { if (!user_write_access_begin(p, sizeof(*(p)))) return -EFAULT; } while (0)
#define CONFIGURATIONS_END() user_write_access_end()
int configurations_f18(int *k, struct configurations __user *u)
{
	CONFIGURATIONS_BEGIN(u);
	unsafe_put_user(k[0], &u->a, efault);
	CONFIGURATIONS_END();
	return 0;
efault:
	CONFIGURATIONS_END();
	return -EFAULT;
}
