#define store(value, to) \
	put_user(value, to)
#define both(a, b, to) \
	(store(a, to) || store(b, (to) + 1))

static int first(int __user *to)
{
	return store(1, to);
}

int second(int __user *to)
{
	return both(1, 2, to);
}
