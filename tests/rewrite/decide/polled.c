int f(struct u __user *u, int n)
{
	int err = 0;

	for (;;) {
		err |= put_user(1, &u->a);
		err |= put_user(2, &u->b);
		if (err)
			return -EFAULT;
		err = wait(n);
	}
}
