// The program has its own operator new, and the operator delete of the C++ library.
// memory: auto shared
// options: --stdpar -pthread
// levels: 0 2
// sources: operators.cpp
#include "../own_operators.hpp"

int main() {
  use_all_forms(true, false);
  use_algorithms(true);
  return pass();
}
