int f(int n, int *p)
{
	int ret = 0;

	if (!user_access_begin(p, 4))
		return -EFAULT;
	switch (n) {
	case 1:
		unsafe_put_user(1, p, fault);
		break;
	default:
		return ret;
	}
	if (n > 2)
		goto out;
	CHECKED(n);
	user_access_end();
	return 1;
fault:
	ret = -EFAULT;
out:
	return ret;
}
