// SPDX-License-Identifier: GPL-2.0
/*
 * Title: _THIS_IP_, __FILE__ and __LINE__ change as code moves
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/instruction_pointer.h>
#include <linux/stringify.h>
#include <linux/uaccess.h>

struct order {
	int (*work)(struct karg *k);
	struct karg *k;
};

extern void note(unsigned long where, const char *place);
extern int carry_out(struct order *order);

int work(struct karg *k);

int work(struct karg *k)
{
	return k->flag ? -EBUSY : 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct order order = { work, k };

	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	note(_THIS_IP_, __FILE__ ":" __stringify(__LINE__));
	return carry_out(&order);
}
