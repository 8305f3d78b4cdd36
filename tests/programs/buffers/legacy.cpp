// A program for SYCL 1.2.1: cl::sycl, get_access with modes and targets, accessors of local memory.
#include <CL/sycl.hpp>

#include "../check.hpp"
#include <vector>

using namespace cl::sycl;

class square;
class sums;

int main() {
  std::vector<int> input(64), output(8);
  for (int i = 0; i < 64; ++i)
    input[i] = i;
  queue device_queue{default_selector{}};
  {
    buffer<int, 1> in(input.data(), range<1>{input.size()});
    buffer<int, 1> out(output.data(), range<1>{output.size()});
    device_queue.submit([&](handler &cgh) {
      auto elements = in.get_access<access::mode::read_write, access::target::global_buffer>(cgh);
      cgh.parallel_for<square>(in.get_range(), [=](id<1> i) { elements[i] = elements[i] * elements[i]; });
    });
    device_queue.submit([&](handler &cgh) {
      auto elements = in.get_access<access::mode::read>(cgh);
      auto results = out.get_access<access::mode::discard_write>(cgh);
      accessor<int, 1, access::mode::read_write, access::target::local> tile(range<1>(8), cgh);
      cgh.parallel_for<sums>(nd_range<1>(64, 8), [=](nd_item<1> item) {
        const auto local = item.get_local_id(0);
        tile[local] = elements[item.get_global_id()];
        item.barrier(access::fence_space::local_space);
        if (local == 0) {
          int sum = 0;
          for (int i = 0; i < 8; ++i)
            sum += tile[i];
          results[item.get_group(0)] = sum;
        }
      });
    });
    accessor<int, 1, access::mode::read, access::target::host_buffer> results(out);
    CHECK_EQUAL(results[0], 140);
    CHECK_EQUAL(in.get_size(), 64 * sizeof(int));
  }
  for (int group = 0; group < 8; ++group) {
    int sum = 0;
    for (int i = 8 * group; i < 8 * group + 8; ++i)
      sum += i * i;
    CHECK_EQUAL(output[group], sum);
  }
  std::puts("PASS");
}
