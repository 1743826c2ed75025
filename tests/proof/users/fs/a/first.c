#include "a.h"
int f(struct inner *i) { return i->first; }
