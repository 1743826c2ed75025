
int hc_read(struct hc_pair *to, struct hc_pair __user *from)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to->first, &from->first, Efault);
	unsafe_get_user(to->second, &from->second, Efault);
	user_read_access_end();
	return 0;

Efault:
	user_read_access_end();
	return -EFAULT;
}

int hc_write(struct hc_pair __user *to, u32 first, u32 second)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(first, &to->first, Efault);
	unsafe_put_user(second, &to->second, Efault);
	user_write_access_end();
	return 0;

Efault:
	user_write_access_end();
	return -EFAULT;
}
