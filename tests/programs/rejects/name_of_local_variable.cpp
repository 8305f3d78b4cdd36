// error: name_of_local_variable.cpp:7:3: error: the first argument of `__sinter_bind_symbol`
#include <sycl/sycl.hpp>

const char *name(int argument) {
  const char *name = nullptr;
  const int *local = &argument;
  __sinter_bind_symbol(local, &name);
  return name;
}

int main() { return name(1) != nullptr; }
