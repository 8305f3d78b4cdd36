// The program of main.cpp, as a file that add_sycl_to_target does not name.
#ifndef SAXPY_NAMED
#error "ACPP_EXTRA_COMPILE_OPTIONS does not reach the files of a target that are not named"
#endif
#include "main.cpp"
