// The program has its own operator delete, and the operator new of the C++ library.
// memory: auto shared
// options: --stdpar -pthread
// levels: 0 2
// sources: operators.cpp
#include "../own_operators.hpp"

int main() {
  use_all_forms(false, true);
  use_algorithms(false);
  return pass();
}
