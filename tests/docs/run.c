
int {name}(struct {name} __user *to, u32 first, u32 second, u32 third)
{{
	if (put_user(first, &to->first) || put_user(second, &to->second) ||
	    put_user(third, &to->third))
		return -EFAULT;
	return 0;
}}
