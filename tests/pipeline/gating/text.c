int one(int *p)
{
	return p[0] + p[1];
}

int two(int *p)
{
	return p[2] + p[3];
}
