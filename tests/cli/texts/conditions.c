int branches(int x)
{
#ifdef CONFIG_A
	if (x) {
#else
	while (x) {
#endif
		x--;
	}
	return x;
}

