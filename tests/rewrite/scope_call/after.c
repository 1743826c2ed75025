static int fetch(u8 *to, unsigned long at, int n, struct state *s)
{
	void __user *uat = (void __user *)at;

	if (is_known(at))
		return copy(to, at, n, s);

	scoped_user_read_access_size(uat, n, efault)
		return copy(to, (unsigned long)uat, n, s);

efault:
	s->at = at;
	return -EFAULT;
}
