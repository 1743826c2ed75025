// SPDX-License-Identifier: GPL-2.0
/*
 * Title: READ_ONCE() reads again what the range was computed from
 * Rule: UW05
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_read_again {
	u32 __user *place;
	u32 count;
	u32 words[64];
};

int uw05_read_again(u32 __user *to, struct uw05_read_again *shared)
{
	u32 count = READ_ONCE(shared->count), i;

	if (count > 64)
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < READ_ONCE(shared->count); i++)
		unsafe_put_user(shared->words[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_read_again_pointer(struct uw05_read_again *shared)
{
	if (!user_write_access_begin(READ_ONCE(shared->place), sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(shared->count, READ_ONCE(shared->place), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

#define uw05_read_again_copy(to, from, label)				\
	unsafe_copy_to_user(to, (from)->words, READ_ONCE((from)->count), label)

int uw05_read_again_macro(u32 __user *to, struct uw05_read_again *shared)
{
	check_object_size(shared->words, sizeof(shared->words), true);
	if (!user_write_access_begin(to, READ_ONCE(shared->count)))
		return -EFAULT;
	uw05_read_again_copy(to, shared, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_read_again_limited_clean(u32 __user *to, struct uw05_read_again *shared)
{
	u32 count = READ_ONCE(shared->count), again;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	again = READ_ONCE(shared->count);
	if (again && again <= count)
		unsafe_put_user(shared->words[0], to + again - 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_read_again_clean(struct uw05_read_again *shared)
{
	u32 __user *to = READ_ONCE(shared->place);
	u32 count = READ_ONCE(shared->count), i;

	if (count > 64)
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(READ_ONCE(shared->words[i]), to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* Whether to go on is another question than how far. */
int uw05_read_again_stop(u32 __user *to, struct uw05_read_again *shared, u32 words)
{
	u32 i;

	if (!user_write_access_begin(to, words * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < words && READ_ONCE(shared->count); i++)
		unsafe_put_user(shared->words[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
