// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is returned on a fault is still 0, as on success
 * Rule: UW26
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw26_returns_zero {
	u32 id;
	u32 flags;
};

int uw26_returns_zero(struct uw26_returns_zero __user *to, u32 id, u32 flags)
{
	int ret = 0;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, out);	/* want: UW26 */
	unsafe_put_user(flags, &to->flags, out);	/* want: UW26 */
out:
	user_write_access_end();
	return ret;
}

int uw26_returns_zero_of_value(struct uw26_returns_zero __user *from, u32 *id)
{
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(*from)))
		goto out;
	ret = 0;
	unsafe_get_user(*id, &from->id, efault);	/* want: UW26 */
efault:
	user_read_access_end();
out:
	return ret;
}

int uw26_returns_zero_clean(struct uw26_returns_zero __user *to, u32 id, u32 flags)
{
	int ret = -EFAULT;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, out);
	unsafe_put_user(flags, &to->flags, out);
	ret = 0;
out:
	user_write_access_end();
	return ret;
}

/* A hint: its failure is not reported. */
int uw26_returns_zero_hint(struct uw26_returns_zero __user *to, u32 id, u32 flags)
{
	if (flags > 7)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return 0;
	unsafe_put_user(id, &to->id, out);
out:
	user_write_access_end();
	return 0;
}

/* As for KVM's steal time: what says so is meant. */
int uw26_returns_zero_meant(u32 __user *at, u32 more)
{
	u32 value;

	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(value, at, out);
	unsafe_put_user(value + more, at, out);
out:
	user_access_end();
	return 0;
}

/* The slow way does the same. */
int uw26_returns_zero_slow(u32 __user *to, u32 id)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, to, slow);
	user_write_access_end();
	return 0;
slow:
	user_write_access_end();
	return copy_to_user(to, &id, sizeof(id)) ? -EFAULT : 0;
}

/* What is not there has a value of its own. */
int uw26_returns_zero_default(struct uw26_returns_zero __user *from, u32 *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*flags, &from->flags, none);
	user_read_access_end();
	return 0;
none:
	user_read_access_end();
	*flags = 1;
	return 0;
}

int uw26_returns_zero_forgotten(struct uw26_returns_zero __user *to, u32 id)
{
	int ret = 0;

	if (!user_write_access_begin(to, sizeof(*to)))
		goto out;
	unsafe_put_user(id, &to->id, efault);	/* want: UW26 */
efault:
	user_write_access_end();
out:
	return ret;
}

/* The test of how far it came is never true. */
int uw26_returns_zero_never(u8 __user *to, const u8 *from, unsigned int size)
{
	unsigned int stored = 0;
	int ret = 0;

	if (!user_write_access_begin(to, size))
		goto out;
	while (stored < size) {
		unsafe_put_user(from[stored], to + stored, efault);	/* want: UW26 */
		stored++;
	}
efault:
	user_write_access_end();
	if (stored > size)
		ret = -EFAULT;
out:
	return ret;
}

int uw26_returns_zero_never_clean(u8 __user *to, const u8 *from, unsigned int size)
{
	unsigned int stored = 0;
	int ret = 0;

	if (!user_write_access_begin(to, size))
		goto out;
	while (stored < size) {
		unsafe_put_user(from[stored], to + stored, efault);
		stored++;
	}
efault:
	user_write_access_end();
	if (stored < size)
		ret = -EFAULT;
out:
	return ret;
}

/* A label for faults alone returns the same. */
int uw26_returns_zero_of_its_own(struct uw26_returns_zero __user *from, u32 *id, u32 *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*id, &from->id, efault);	/* want: UW26 */
	unsafe_get_user(*flags, &from->flags, efault);	/* want: UW26 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return 0;
}

static __always_inline int uw26_returns_zero_store(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

void uw26_returns_zero_next(u32 id);

int uw26_returns_zero_of_helper(u32 __user *to, u32 first, u32 second)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	if (uw26_returns_zero_store(to, first))	/* want: UW26 */
		goto efault;
	unsafe_put_user(second, to + 1, efault);	/* want: UW26 */
	user_write_access_end();
	uw26_returns_zero_next(first);
	return 0;
efault:
	user_write_access_end();
	return 0;
}

int uw26_returns_zero_of_helper_clean(u32 __user *to, u32 first, u32 second)
{
	int err;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	err = uw26_returns_zero_store(to, first);
	if (err)
		goto out;
	err = uw26_returns_zero_store(to + 1, second);
out:
	user_write_access_end();
	return err;
}
