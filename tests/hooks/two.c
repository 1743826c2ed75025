int {name}(struct point __user *from, struct point *p)
{{
	int x, y, z, t, u;

	if (get_user(x, &from->x) || get_user(y, &from->y) || get_user(z, &from->z) ||
	    get_user(t, &from->t) || get_user(u, &from->u))
		return -EFAULT;
	*p = (struct point) {{ x, y, z, t, u }};
	return 0;
}}

