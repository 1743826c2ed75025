#include "a.h"
int o = MODE(fast);
