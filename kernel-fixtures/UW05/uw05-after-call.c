// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bound of a loop is read again after a call, which does not change it
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_after_call {
	u32 number;
	u32 left;
	u32 words[16];
};

void uw05_after_call_prepare(struct uw05_after_call *from);

int uw05_after_call(u32 __user *to, struct uw05_after_call *from)
{
	const u32 number = from->number;
	u32 i;

	uw05_after_call_prepare(from);
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i <= from->number; i++) {
		from->words[i] &= 0xff;
		unsafe_put_user(from->words[i], &to[i], efault);	/* want: UW05 */
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_after_call_next(u32 __user *to, struct uw05_after_call *from)
{
	const u32 number = from->number;
	u32 i;

	uw05_after_call_prepare(from);
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < from->number; i++)
		unsafe_put_user(from->words[i], to + i + 1, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_after_call_clean(u32 __user *to, struct uw05_after_call *from)
{
	const u32 number = from->number;
	u32 i;

	uw05_after_call_prepare(from);
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < from->number; i++)
		unsafe_put_user(from->words[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* What this function stores there is another number. */
int uw05_after_call_less(u32 __user *to, struct uw05_after_call *from)
{
	const u32 number = from->number;
	u32 i;

	if (!number)
		return -EINVAL;
	from->number = number - 1;
	uw05_after_call_prepare(from);
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i <= from->number; i++)
		unsafe_put_user(from->words[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

struct uw05_after_call_place {
	u32 __user *to;
	u32 value;
};

void uw05_after_call_moved(struct uw05_after_call_place *place);

int uw05_after_call_pointer(struct uw05_after_call_place *place)
{
	u32 __user *to = place->to;

	uw05_after_call_moved(place);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(place->value, place->to, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_after_call_pointer_clean(struct uw05_after_call_place *place)
{
	u32 __user *to;

	uw05_after_call_moved(place);
	to = place->to;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(place->value, place->to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline u32 uw05_after_call_odd(u32 value)
{
	u32 odd = value;

	odd |= 1;
	return odd;
}

/* This changes nothing. */
int uw05_after_call_pointer_same(struct uw05_after_call_place *place)
{
	u32 __user *to = place->to;
	u32 value = uw05_after_call_odd(place->value);

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, place->to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
