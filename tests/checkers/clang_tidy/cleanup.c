#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline void dropped(int *held)
{
	*held = 0;
}

int subject(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	{
		int held __cleanup(dropped) = 1;

		unsafe_put_user(value, to, efault);
		value = held;
	}
efault:
	user_write_access_end();
	return value;
}
