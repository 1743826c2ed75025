int {name}(struct point __user *from, struct point *p)
{{
	int x, y, z;

	if (get_user(x, &from->x) || get_user(y, &from->y) || get_user(z, &from->z))
		return -EFAULT;
	*p = (struct point) {{ x, y, z }};
	return 0;
}}

