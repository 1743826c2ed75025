int f(struct point __user *to, int x)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(x, &to->x, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int g(struct point __user *to, int x)
{
	scoped_user_write_access(to, efault)
		unsafe_put_user(x, &to->x, efault);
	return 0;
efault:
	return -EFAULT;
}
