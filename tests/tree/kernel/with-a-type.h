/* unsafe_get_user */
#define user_access_begin(type, ptr, len) access_ok(type, ptr, len)
#define unsafe_get_user(x, ptr, err) x
