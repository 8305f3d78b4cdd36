// The treatment of launches whose code is in no cache, for programs in C++.
#ifndef SINTER_JIT_MODE_HPP
#define SINTER_JIT_MODE_HPP

#include "jit.h"

namespace sinter {

enum class jit_mode : unsigned {
  standard = SINTER_JIT_DEFAULT, // that of SINTER_JIT_MODE
  sync = SINTER_JIT_SYNC,
  fallback = SINTER_JIT_FALLBACK,
  require = SINTER_JIT_REQUIRE
};

} // namespace sinter

#endif
