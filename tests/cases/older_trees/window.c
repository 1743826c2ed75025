
int window(struct three *k, struct three __user *u)
{{
	{}
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}}
