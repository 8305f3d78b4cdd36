// The functions of bfloat16.
#include "cases.hpp"

void numerics::add_bfloat16(std::vector<measurement> &to) { add_bfloat16(cases<bfloat16>{to}); }
