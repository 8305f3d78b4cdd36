// A library and a program with hidden symbols share the error category and the exception types.
// options: -fvisibility=hidden -fvisibility-inlines-hidden -rdynamic
// library: library.cpp
#include <sycl/sycl.hpp>

#include <dlfcn.h>

#include "../../check.hpp"

int main(int, char **arguments) {
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  const auto fail = reinterpret_cast<void (*)()>(dlsym(library, "fail"));
  CHECK(fail);
  try {
    fail();
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::nd_range);
    CHECK(error.category() == sycl::sycl_category());
  }
  return pass();
}
