
int hc_read(u32 *to, u32 __user *from);
int hc_read(u32 *to, u32 __user *from)
{
	if (get_user(to[0], &from[0]) ||
	    get_user(to[1], &from[1]) ||
	    get_user(to[2], &from[2]) ||
	    get_user(to[3], &from[3]))
		return -EFAULT;
	return 0;
}
