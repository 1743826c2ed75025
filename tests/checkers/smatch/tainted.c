#include <linux/errno.h>
#include <linux/uaccess.h>

int by_call[16], by_window[16], by_scope[16], by_inline[16];

int call(const unsigned int __user *from)
{
	unsigned int index;

	if (get_user(index, from))
		return -EFAULT;
	return by_call[index];
}

int window(const unsigned int __user *from)
{
	unsigned int index;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(index, from, efault);
	user_read_access_end();
	return by_window[index];
efault:
	user_read_access_end();
	return -EFAULT;
}

int scope(const unsigned int __user *from)
{
	unsigned int index;

	scoped_user_read_access(from, efault)
		unsafe_get_user(index, from, efault);
	return by_scope[index];
efault:
	return -EFAULT;
}

int inlined(const unsigned int __user *from)
{
	unsigned int index;
	int ret = get_user_inline(index, from);

	if (ret)
		return ret;
	return by_inline[index];
}
