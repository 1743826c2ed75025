// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop counts one number down while another one moves, to more than was checked
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline long uw05_two_counters_walk(char *to, const char __user *from, unsigned long most)
{
	unsigned long done = 0;

	while (most) {
		char letter;

		unsafe_get_user(letter, from + done, efault);	/* want: UW05 */
		to[done] = letter;
		if (!letter)
			return done;
		done++;
		most--;
	}
	return done;
efault:
	return -EFAULT;
}

long uw05_two_counters(char *to, const char __user *from, unsigned long number, unsigned long room)
{
	long result;

	if (room > number)
		room = number;
	if (!user_read_access_begin(from, room))
		return -EFAULT;
	result = uw05_two_counters_walk(to, from, number);
	user_read_access_end();
	return result;
}

static __always_inline long uw05_two_counters_clean_walk(char *to, const char __user *from, unsigned long most)
{
	unsigned long done = 0;

	while (most) {
		char letter;

		unsafe_get_user(letter, from + done, efault);
		to[done] = letter;
		if (!letter)
			return done;
		done++;
		most--;
	}
	return done;
efault:
	return -EFAULT;
}

long uw05_two_counters_clean(char *to, const char __user *from, unsigned long number, unsigned long room)
{
	long result;

	if (room > number)
		room = number;
	if (!user_read_access_begin(from, room))
		return -EFAULT;
	result = uw05_two_counters_clean_walk(to, from, room);
	user_read_access_end();
	return result;
}

static __always_inline long uw05_two_counters_some_walk(u32 __user *to, const u32 *from, unsigned long number)
{
	unsigned long done = 0;

	while (number--) {
		u32 word = *from++;

		if (!word)
			continue;
		unsafe_put_user(word, to + done, efault);
		done++;
	}
	return done;
efault:
	return -EFAULT;
}

/* Not all of them are stored. */
long uw05_two_counters_some(u32 __user *to, const u32 *from, unsigned long number, unsigned long room)
{
	long result;

	if (room > number)
		room = number;
	if (!user_write_access_begin(to, room * sizeof(*to)))
		return -EFAULT;
	result = uw05_two_counters_some_walk(to, from, number);
	user_write_access_end();
	return result;
}

static __always_inline long uw05_two_counters_left_walk(u32 __user *to, const u32 *from, unsigned long number,
							 unsigned long room)
{
	unsigned long done = 0;

	while (number) {
		unsafe_put_user(from[done], to + done, efault);
		done++;
		number--;
		if (!--room)
			break;
	}
	return done;
efault:
	return -EFAULT;
}

/* The loop is left at the room. */
long uw05_two_counters_left(u32 __user *to, const u32 *from, unsigned long number, unsigned long room)
{
	long result;

	if (room > number)
		room = number;
	if (!user_write_access_begin(to, room * sizeof(*to)))
		return -EFAULT;
	result = uw05_two_counters_left_walk(to, from, number, room);
	user_write_access_end();
	return result;
}
