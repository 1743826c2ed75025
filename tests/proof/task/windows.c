#ifdef HOTCOCCI_CLASSIC
#define can_do_masked_user_access() 0
#else
#define can_do_masked_user_access() 1
#endif
int windows(struct s *s)
{
	if (can_do_masked_user_access())
		return s->x;
	else
		return s->x + 1;
}
