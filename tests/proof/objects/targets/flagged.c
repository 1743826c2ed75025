struct fd {
	unsigned long word;
};
struct fd fdget(unsigned int number);
int use(unsigned long file);
void put(unsigned long file);
int subject(unsigned int number);

int subject(unsigned int number)
{
	struct fd f = fdget(number);
	int ret;

	if (!(f.word & ~3UL))
		return -9;
	ret = use(f.word & ~3UL);
	if (f.word & 1)
		put(f.word & ~3UL);
	return ret;
}
