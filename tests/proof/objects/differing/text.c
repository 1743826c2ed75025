#define ONE(x)	((x) + \
		 1)
#define TWO(x)	(ONE(x) + 1)
#ifdef A /* a */
int f(int a)
{
	/* first */
	if (a) return ONE(a);
	return 0;
}
#endif
int g(int a) { return TWO(a); }
