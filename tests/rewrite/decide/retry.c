int f(struct u __user *u, int n)
{
	int err = -EINVAL;
	int a, b;

	while (n--) {
		if (n && !err)
			return a + b;
		err = get_user(a, &u->a);
		if (err)
			return err;
		err = get_user(b, &u->b);
		if (err)
			return err;
	}
	return 0;
}
