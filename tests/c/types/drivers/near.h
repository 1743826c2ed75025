struct near { my_wide deep; };
