#include "a.h"
int g(int n) { return four(n); }
