long f(int __user *p)
{
	if (!user_read_access_begin(p, sizeof(*p)))
		return -EFAULT;
	user_write_access_end();
	return 0;
}
