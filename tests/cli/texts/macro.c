int walks(struct point __user *to, int x)
{
	EACH_OF(x {
		if (get_user(x, &to->x) || get_user(x, &to->y))
			return -EFAULT;
	});
	return 0;
}

