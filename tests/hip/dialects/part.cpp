// The source in C++, without macros of the other two.
#if defined(__CUDACC__) || defined(__HIPCC__)
#error "this is C++"
#endif

int of_cpp() { return 5; }
