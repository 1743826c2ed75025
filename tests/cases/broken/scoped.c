#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	scoped_user_write_access(u, efault) {
		unsafe_put_user(k->a, &u->a, efault);
		unsafe_put_user(k->b, &u->b, efault);
	}
	return 0;

efault:
	return -EFAULT;
}
