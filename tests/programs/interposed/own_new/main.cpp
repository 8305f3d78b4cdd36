// The program has its own operator new and operator delete, which mark their blocks.
// memory: auto shared
// options: --stdpar -pthread -Wl,--export-dynamic-symbol=sinter_stdpar_memory
// levels: 0 2
// sources: operators.cpp
#include "../own_operators.hpp"

int main() {
  use_all_forms(true, true);
  use_algorithms(true);
  // Memory that is allocated by more than one piece of the device's.
  std::vector<std::unique_ptr<std::vector<int>>> many;
  for (int i = 0; i != 400; ++i)
    many.push_back(std::make_unique<std::vector<int>>(200000, i));
  for (int i = 0; i != 400; ++i)
    CHECK((*many[i])[199999] == i);
  return pass();
}
