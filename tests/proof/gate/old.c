
int hc_read(struct hc_pair *to, struct hc_pair __user *from)
{
	if (get_user(to->first, &from->first) ||
	    get_user(to->second, &from->second))
		return -EFAULT;
	return 0;
}

int hc_write(struct hc_pair __user *to, u32 first, u32 second)
{
	if (put_user(first, &to->first) ||
	    put_user(second, &to->second))
		return -EFAULT;
	return 0;
}
