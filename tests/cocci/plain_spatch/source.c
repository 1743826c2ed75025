struct point {
	int x;
	int y;
};

int read_point(struct point *k, struct point __user *u)
{
	int x, y;

	if (get_user(x, &u->x) || get_user(y, &u->y))
		return -EFAULT;
	k->x = x;
	k->y = y;
	return 0;
}
