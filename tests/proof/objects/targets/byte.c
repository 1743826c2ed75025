#include <linux/types.h>
struct item { int colour; };
bool ready(struct item *e);

int changed(struct item *e)
{
	if (ready(e))
		return e->colour;
	return 0;
}
