#define X(s) ((s)->x)
#ifndef UNUSED
int part(struct s *s)
{
	return X(s);
}
#endif
