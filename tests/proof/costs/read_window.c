
int hc_read(u32 *to, u32 __user *from);
int hc_read(u32 *to, u32 __user *from)
{
	if (!user_read_access_begin(from, 16))
		return -EFAULT;
	unsafe_get_user(to[0], &from[0], efault);
	unsafe_get_user(to[1], &from[1], efault);
	unsafe_get_user(to[2], &from[2], efault);
	unsafe_get_user(to[3], &from[3], efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
