static inline int first(int a)
{
	if (a) {
		return 1;
	}
	return 2;
}
int declared(int a);
