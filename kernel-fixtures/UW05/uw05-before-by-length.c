// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what comes before the pointer is accessed, or is in the range and not in its size
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_before_by_length {
	u64 number;
	u64 next;
};

struct uw05_before_by_length_state {
	struct uw05_before_by_length __user *now;
	int before;
};

bool uw05_before_by_length(struct uw05_before_by_length_state *state, u64 number, int length)
{
	struct uw05_before_by_length __user *now = state->now;
	struct uw05_before_by_length __user *last = (void __user *)now - state->before;

	if (!user_write_access_begin(now, length + state->before))
		return false;
	unsafe_put_user(number, &last->next, efault);	/* want: UW05 */
	unsafe_put_user(number, &now->number, efault);
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}

bool uw05_before_by_length_alone(struct uw05_before_by_length_state *state, u64 number, int length)
{
	struct uw05_before_by_length __user *now = state->now;
	struct uw05_before_by_length __user *last = (void __user *)now - state->before;

	if (!user_write_access_begin(now, length))
		return false;
	unsafe_put_user(number, &last->next, efault);	/* want: UW05 */
	unsafe_put_user(number, &now->number, efault);
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}

bool uw05_before_by_length_left_out(struct uw05_before_by_length __user *now, int before, u64 number, int length)
{
	struct uw05_before_by_length __user *last = (void __user *)now - before;

	if (!user_write_access_begin(last, length))
		return false;
	unsafe_put_user(number, &last->next, efault);
	unsafe_put_user(number, &now->number, efault);	/* want: UW05 */
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}

bool uw05_before_by_length_clean(struct uw05_before_by_length_state *state, u64 number, int length)
{
	struct uw05_before_by_length __user *now = state->now;
	struct uw05_before_by_length __user *last = (void __user *)now - state->before;

	if (!user_write_access_begin(last, length + state->before))
		return false;
	unsafe_put_user(number, &last->next, efault);
	unsafe_put_user(number, &now->number, efault);
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}

bool uw05_before_by_length_known_clean(u64 __user *now, u64 number, u32 before)
{
	if (before > 8)
		return false;
	if (!user_write_access_begin((void __user *)now - before, 16))
		return false;
	unsafe_put_user(number, now, efault);
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}

bool uw05_before_by_length_counted_clean(struct uw05_before_by_length __user *now, int before, u64 number, int length)
{
	struct uw05_before_by_length __user *last = (void __user *)now - before;

	if (!user_write_access_begin(last, before + length))
		return false;
	unsafe_put_user(number, &last->next, efault);
	unsafe_put_user(number, &now->number, efault);
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}

bool uw05_before_by_length_compared_clean(struct uw05_before_by_length __user *now, int before, u64 number, int length)
{
	struct uw05_before_by_length __user *last = (void __user *)now - before;

	if (length < before + 16)
		return false;
	if (!user_write_access_begin(last, length))
		return false;
	unsafe_put_user(number, &last->next, efault);
	unsafe_put_user(number, &now->number, efault);
	user_write_access_end();
	return true;
efault:
	user_write_access_end();
	return false;
}
