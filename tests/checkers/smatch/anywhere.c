#include <linux/errno.h>
#include <linux/uaccess.h>

int wrong_way(unsigned int __user *to, unsigned int *old)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_get_user(*old, to, efault);
	user_read_access_end();
	return 0;
efault:
	return -EFAULT;
}

int right_way(unsigned int __user *to, unsigned int *old)
{
	if (!user_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_get_user(*old, to, efault);
	unsafe_put_user(*old + 1, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
