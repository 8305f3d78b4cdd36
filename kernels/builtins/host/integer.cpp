// Integer and relational functions: LLVM has an instruction for each.
#include "../generic/integer.hpp"
#include "../generic/normal.hpp"
