int {0}(struct point __user *from_{0}, struct point *p)
{{
{1}	if (get_user(p->x, &from_{0}->x) || get_user(p->y, &from_{0}->y) ||
	    get_user(p->z, &from_{0}->z))
		return -EFAULT;
	return 0;
}}

