#include "a.h"
int n = MODE_FAST;
