#include "a.h"
int p = MODE(slow);
