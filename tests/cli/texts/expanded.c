#define EACH_OF(n, f) { f; }
int walks(struct point __user *to, int x)
{
	EACH_OF(x, get_user(x, &to->x); get_user(x, &to->y));
	return get_user(x, &to->y);
}

