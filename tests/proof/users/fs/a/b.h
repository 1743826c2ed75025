#include "a.h"
#define AROUND(n)	four(n)
