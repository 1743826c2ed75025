static int fetch(u8 *to, unsigned long at, int n, struct state *s)
{
	int err;

	if (is_known(at))
		return copy(to, at, n, s);

	if (user_read_access_begin((void __user *)at, n)) {
		err = copy(to, at, n, s);
		user_read_access_end();
	} else {
		err = -EFAULT;
		s->at = at;
	}

	return err;
}
