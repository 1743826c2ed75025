int g(int __user *to, int x, bool open)
{
	if (open && !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (open) {
		unsafe_put_user(x, to, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
