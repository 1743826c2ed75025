#include <linux/compiler.h>
extern struct { int enabled; } disable_kuap_key;

int changed(int *p)
{
	int a = *p;

	if (READ_ONCE(disable_kuap_key.enabled) > 0)
		a = 1;
	return a;
}
