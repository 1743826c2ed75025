int one(volatile int *p)
{
	return *p + *p;
}

int __do_sys_two(volatile int *p)
{
	return *p - *p;
}

#ifdef NEVER
int three(volatile int *p)
{
	return *p | *p;
}
#endif
