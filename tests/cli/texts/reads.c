int reads(struct point __user *from, struct point *p)
{
	if (get_user(p->x, &from->x) || get_user(p->y, &from->y))
		return -EFAULT;
	return 0;
}

