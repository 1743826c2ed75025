int f(struct s *k, struct u __user *u, int *out, int parameter)
{
	static int kept;
	struct pair pair;
	int plain, array[3];
	int *pointer = out;

	if (get_user(plain, &u->a) || get_user(pair.x, &u->b))
		return -EFAULT;
	if (get_user(array[1], &u->a) || get_user(*pointer, &u->b))
		return -EFAULT;
	if (get_user(kept, &u->a) || get_user(k->field, &u->b))
		return -EFAULT;
	if (get_user(pointer[1], &u->a) || get_user(parameter, &u->b))
		return -EFAULT;
	if (get_user(global, &u->a) || get_user(global, &u->b))
		return -EFAULT;
	return 0;
}
