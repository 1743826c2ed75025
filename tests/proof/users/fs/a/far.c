#include "b.h"
int h(int n) { return AROUND(n); }
