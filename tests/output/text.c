int first(int __user *p)
{
	/* é € 😀 */ get_user(a, p); get_user(b, p);
	return 0;
}

int second(int __user *p)
{
	if (get_user(a, p) < 1 && b > 0)
		return 1; /* </script><b>bold</b> & more */
	get_user(b, p);
	get_user(b, p);
	return 0;
}
