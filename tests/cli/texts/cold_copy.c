#include <linux/uaccess.h>

struct point {
	int x;
	int y;
};

int f(struct point *k, unsigned long data)
{
	if (copy_to_user((__user void *)data, k, sizeof(*k)))
		return -EFAULT;
	return 0;
}
