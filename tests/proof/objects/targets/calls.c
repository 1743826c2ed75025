#include <linux/compiler.h>
int changed(int *p);
int last(int a);
int tail(int a);

static noinline int first(int a)
{
	barrier();
	return a;
}

int changed(int *p)
{
	int a = READ_ONCE(*p);

	return a / 7;
}

int last(int a)
{
	return first(a) + 1;
}

int tail(int a)
{
	return first(a);
}
