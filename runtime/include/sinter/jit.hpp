// When kernels are compiled, for programs in C++.
#ifndef SINTER_JIT_HPP
#define SINTER_JIT_HPP

#include "sinter.h"

#include <stdexcept>

namespace sinter {

// Returns when every kernel that was launched so far has the code that it keeps. Benchmarks call it
// after their first launches, so that nothing is compiled while they measure.
inline void wait_for_jit() {
  if (sinter_wait_for_jit() != SINTER_SUCCESS)
    throw std::runtime_error(sinter_last_error());
}

} // namespace sinter

#endif
