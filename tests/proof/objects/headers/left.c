 int value;
static const struct ops *find(int n);

static inline int inside(int a)
{
	return a + 1;
}

static int other(int a)
;






#define CALLS(a) by_macro(a)

static inline int by_macro(int a)
{
	return a + 3;
}

static int called(int a)
{
	return inside(a) + deeper(a);
}

int subject(int a)
{
	return called(a) + 0;
}

 const struct ops table = {
	.open = other,
};

static const struct ops *find(int n)
{
#define ONE 1
	return n == ONE ? &table : NULL;
}
