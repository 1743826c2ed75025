int f(struct u __user *u, struct u __user *v)
{
	if (put_user(1, &u->a) || put_user(2, &u->b) ||
	    put_user(1, &v->a) || put_user(2, &v->b))
		return -EFAULT;
	return 0;
}
