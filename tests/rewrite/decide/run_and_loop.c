int f(struct u __user *u, int __user *array, int n)
{
	int a, b, i;

	for (i = 0; i < 9; i++)
		if (put_user(n, &array[i]))
			return -EFAULT;
	if (get_user(a, &u->a) || get_user(b, &u->b))
		return -EFAULT;
	return a + b;
}
