/*  */
#define user_access_begin() do { } while (0)
#define unsafe_get_user(x, ptr) __get_user(x, ptr)
