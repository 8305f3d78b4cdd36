// Barriers in functions that kernels call: not inlined, nested, in templates, members and lambdas.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr int size = 256, group_size = 32;

__attribute__((noinline)) static void wait_for_all(const sycl::nd_item<1> &item) {
  item.barrier(sycl::access::fence_space::global_and_local);
}

__attribute__((noinline)) static int neighbour(int *shared, int value, const sycl::nd_item<1> &item) {
  const std::size_t mine = item.get_local_id(0);
  shared[mine] = value;
  wait_for_all(item);
  const int next = shared[(mine + 1) % item.get_local_range(0)];
  wait_for_all(item);
  return next;
}

template <class Group, class T> T first_value(Group group, T *shared, T value) {
  if (group.leader())
    *shared = value;
  sycl::group_barrier(group);
  const T result = *shared;
  sycl::group_barrier(group);
  return result;
}

class rotation {
public:
  rotation(const sycl::local_accessor<int> &memory, int distance) : shared(memory), by(distance) {}

  int operator()(int value, sycl::nd_item<1> item) const {
    shared[item.get_local_id(0)] = value;
    sycl::group_barrier(item.get_group());
    const int result = shared[(item.get_local_id(0) + by) % shared.size()];
    sycl::group_barrier(item.get_group());
    return result;
  }

private:
  sycl::local_accessor<int> shared;
  std::size_t by;
};

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(size, queue);
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int> shared(sycl::range<1>(group_size), cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int global = static_cast<int>(item.get_global_id(0));
      int *memory = shared.get_multi_ptr<sycl::access::decorated::no>().get();
      int value = neighbour(memory, global, item);
      value = neighbour(memory, value, item);
      value += 1000 * first_value(item.get_group(), memory, value);
      const auto twice = [&](int x) {
        const rotation rotate(shared, 3);
        return rotate(rotate(x, item), item);
      };
      out[global] = twice(value);
    });
  });
  queue.wait();
  for (int i = 0; i < size; ++i) {
    const int start = i / group_size * group_size;
    const int moved = start + (i + 2 + 6) % group_size;
    CHECK_EQUAL(out[i], moved + 1000 * (start + 2));
  }
  sycl::free(out, queue);
  return pass();
}
