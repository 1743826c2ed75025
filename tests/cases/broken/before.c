#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
