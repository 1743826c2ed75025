#include <linux/uaccess.h>
#include <linux/odd.h>

int reads(int __user *p, int *a)
{
	if (get_user(a[0], p) || get_user(a[1], p + 1) || get_user(a[2], p + 2))
		return -EFAULT;
	return 0;
}
