// Device globals of two translation units: extern, inline, and static ones of the same name.
// sources: other.cpp
// levels: 0 2
#include "globals.hpp"

#include "../../check.hpp"

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(8, queue);
  queue.single_task([=] {
    defined_in_other = defined_in_other + 1;
    in_both[2] = 30;
    local = local + 1;
    out[0] = add_to_local(5);
    out[1] = local;
  }).wait();
  CHECK_EQUAL(out[0], 1005);
  CHECK_EQUAL(out[1], 1001);
  run_other(queue, out);
  CHECK_EQUAL(out[0], 43);
  CHECK_EQUAL(out[1], 30);
  CHECK_EQUAL(out[2], 1005);
  int value = 0;
  queue.copy(local, &value).wait();
  CHECK_EQUAL(value, 1001);
  queue.copy(used_by_host_only, &value).wait();
  CHECK_EQUAL(value, 9);
  queue.copy(defined_in_other, &value).wait();
  CHECK_EQUAL(value, 43);
  sycl::free(out, queue);
  return pass();
}
