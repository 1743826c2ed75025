int lines(struct s *s, int a)
{
	int found = 0;

	if (sizeof(long) == 4 && a)
		found = s->x;
#ifdef NEVER
	found = a;
#endif
	found += s->x;
	found = found +
#ifdef NEVER
		2 +
#endif
		s->x;
	return found;
}
