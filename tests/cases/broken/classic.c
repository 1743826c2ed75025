#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
