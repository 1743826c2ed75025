
int hc_loop(u32 *to, u32 __user *from, int n);
int hc_loop(u32 *to, u32 __user *from, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (get_user(to[i], &from[i]))
			return -EFAULT;
	return 0;
}
