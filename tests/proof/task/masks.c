#ifdef HOTCOCCI_SHIFTED
#define masked_user_access_begin(p) ((p) + 1)
#else
#define masked_user_access_begin(p) (p)
#endif
int masks(struct s *s)
{
	struct s *m = masked_user_access_begin(s);

	return m->x + 2 * m->x;
}
