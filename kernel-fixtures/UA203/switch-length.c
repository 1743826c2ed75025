// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a count, and lengths that somebody gives
 * Row: runtime size, not known from commands or callers
 * Twin: switch-callers
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int other(void *to, void __user *from, unsigned int length);

int other(void *to, void __user *from, unsigned int length)
{
	if (copy_from_user(to, from, length))	/* want: UA203 report size-given 1 from read */
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct point pts[3] = {};
	u32 length;

	if (copy_from_user(pts, u->pts, k->index * sizeof(struct point)))	/* want: UA203 report size-given 1 u->pts read */
		return -EFAULT;
	if (get_user(length, &u->len))
		return -EFAULT;
	if (length > sizeof(k->words))
		length = sizeof(k->words);
	if (copy_to_user(u->words, k->words, length))	/* want: UA203 report size-given 1 u->words write */
		return -EFAULT;
	return other(k->words, u->words, 4 * k->count);
}
