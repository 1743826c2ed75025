
int hc_loop(u32 *to, u32 __user *from, int n);
int hc_loop(u32 *to, u32 __user *from, int n)
{
	int i;

	if (!user_read_access_begin(from, n * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_get_user(to[i], &from[i], efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
