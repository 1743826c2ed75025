#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int put(u64 __user *to, u64 value)
{
	unsafe_put_user(value, to + 1, efault);
	return 0;
efault:
	return -EFAULT;
}

int subject(u64 __user *to, u64 value)
{
	int ret;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	ret = put(to, value);
	user_write_access_end();
	return ret;
}
