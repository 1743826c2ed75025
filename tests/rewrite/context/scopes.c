int f(struct u __user *u, int n)
{
	struct foo *foo __free(kfree) = NULL;

	if (put_user(n, &u->a) || put_user(n, &u->b)) /* one */
		return -EFAULT;
	guard(mutex)(&lock);
	if (n) {
		void *inner __free(kfree) = NULL;

		use(foo, inner);
		if (put_user(n, &u->a) || put_user(n, &u->b)) /* two */
			return -EFAULT;
	}
	scoped_guard(spinlock, &lock) {
		use(foo); /* three */
	}
	return 0; /* four */
}
