#ifndef CK
#define CK(_x) void _x(int id);
#endif

CK(register_db_call_marker) /* always has to be first  */
CK(check_spectre)

#include "check_list_local.h"

CK(register_scope)
CK(register_returns)
