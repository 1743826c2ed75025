// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load, a store, assembly or a string function accesses the memory of the window without an accessor
 * Rule: UW21
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct uw21_plain {
	u32 id;
	char name[12];
	struct uw21_plain __user *next;
};

int uw21_plain_copied(struct uw21_plain __user *to, const char *name)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(1, &to->id, efault);
	memcpy((void __force *)to->name, name, sizeof(to->name));	/* want[clang-tidy]: UW21 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw21_plain_stored(struct uw21_plain __user *to, u32 id)
{
	struct uw21_plain *own = (struct uw21_plain __force *)to;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(0, &to->name[0], efault);
	own->id = id;	/* want[clang-tidy]: UW21 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw21_plain_loaded(struct uw21_plain __user *from, u32 *id, u32 *first)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	*id = READ_ONCE(*(u32 __force *)&from->id);	/* want[clang-tidy]: UW21 */
	unsafe_get_user(*first, (u32 __user *)from->name, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

static __always_inline void uw21_plain_set(u32 *to, u32 id)
{
	*to = id;
}

int uw21_plain_of_helper(struct uw21_plain __user *to, u32 id)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(0, &to->name[0], efault);
	uw21_plain_set((u32 __force *)&to->id, id);	/* want[clang-tidy]: UW21 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline void uw21_plain_add(u32 *to, u32 more)
{
	asm volatile("# add %1 to %0" : "+m" (*to) : "r" (more));
}

int uw21_plain_in_asm(struct uw21_plain __user *at, u32 *id)
{
	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(*id, &at->id, efault);
	unsafe_put_user(0, &at->name[0], efault);
	uw21_plain_add((u32 __force *)&at->id, 1);	/* want[clang-tidy]: UW21 */
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw21_plain_in_asm_clean(struct uw21_plain __user *at, u32 *id, u32 *seen)
{
	if (!user_read_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(*id, &at->id, efault);
	uw21_plain_add(seen, 1);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw21_plain_clean(struct uw21_plain *own, const char *name)
{
	struct uw21_plain __user *to = own->next;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(own->id, &to->id, efault);
	memcpy(own->name, name, sizeof(own->name));
	uw21_plain_set(&own->id, 0);
	unsafe_copy_to_user(to->name, name, sizeof(to->name), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
