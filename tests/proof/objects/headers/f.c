#define OWN 1
#include "x.h"
#ifdef NEVER
#include "y.h"
#endif
static int UNIQUE(count);
int subject(struct s *s, int a)
{
#ifdef unix
	return 5;
#endif
	static int UNIQUE(inside);
	table(a);
	return deep(s->a[1]) + made() + lock_of(read, spin)(a) + OWN + __LINE__;
}
