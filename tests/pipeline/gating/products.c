int equal(int *p)
{
	return p[0] + p[1];
}

int other(int *p)
{
	return p[2] + p[3];
}

unsigned int ratio(unsigned int *p)
{
	return (unsigned long)p[0] * p[1] % 1000003;
}

#ifdef NEVER
int absent(int *p)
{
	return *p;
}
#endif
