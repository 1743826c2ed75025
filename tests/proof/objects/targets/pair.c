void poke(void);
void show(int *pair);
int changed(void);

int changed(void)
{
	int pair[2];
	int i;

	pair[0] = 1;
	pair[1] = 2;
	for (i = 0; i < 100; i++)
		poke();
	show(pair);
	return 0;
}
