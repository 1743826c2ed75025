
struct three { int a; int b; int c; };

int run(struct three *k, struct three __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b) || put_user(k->c, &u->c))
		return -EFAULT;
	return 0;
}
