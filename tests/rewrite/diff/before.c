static int first(int *p)
{
	int v;

	if (get_user(v, p))
		return -EFAULT;
	return 0;
}

static int second(int *p)
{
	int v;

	a();
	if (get_user(v, p))
		return -EFAULT;
	return 0;
}
