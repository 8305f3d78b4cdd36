// Barriers in loops: a tree reduction, a scan with two buffers, and a number of iterations loaded
// from memory.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr int size = 512, group_size = 64;

static void reduce(sycl::queue &queue, const int *in, int *out) {
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int> partial(group_size, cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int mine = static_cast<int>(item.get_local_id(0));
      partial[mine] = in[item.get_global_id(0)];
      for (int stride = static_cast<int>(item.get_local_range(0)) / 2; stride > 0; stride /= 2) {
        item.barrier(sycl::access::fence_space::local_space);
        if (mine < stride)
          partial[mine] += partial[mine + stride];
      }
      if (mine == 0)
        out[item.get_group(0)] = partial[0];
    });
  });
}

static void scan(sycl::queue &queue, const int *in, int *out) {
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int, 2> buffers(sycl::range<2>(2, group_size), cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t mine = item.get_local_id(0), all = item.get_local_range(0);
      int from = 0;
      buffers[0][mine] = in[item.get_global_id(0)];
      for (std::size_t distance = 1; distance < all; distance *= 2) {
        sycl::group_barrier(item.get_group());
        const int before = mine >= distance ? buffers[from][mine - distance] : 0;
        buffers[1 - from][mine] = buffers[from][mine] + before;
        from = 1 - from;
      }
      out[item.get_global_id(0)] = buffers[from][mine];
    });
  });
}

// Each iteration moves the values by one position; groups execute different numbers of iterations.
static void rotate(sycl::queue &queue, const int *in, const int *turns, int *out) {
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int> ring(group_size, cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int mine = static_cast<int>(item.get_local_id(0));
      ring[mine] = in[item.get_global_id(0)];
      int turn = 0;
      while (turn < turns[item.get_group(0)]) {
        sycl::group_barrier(item.get_group());
        const int value = ring[(mine + 1) % group_size];
        sycl::group_barrier(item.get_group());
        ring[mine] = value;
        ++turn;
      }
      out[item.get_global_id(0)] = ring[mine];
    });
  });
}

int main() {
  sycl::queue queue;
  int *in = sycl::malloc_shared<int>(size, queue), *out = sycl::malloc_shared<int>(size, queue);
  int *turns = sycl::malloc_shared<int>(size / group_size, queue);
  for (int i = 0; i < size; ++i)
    in[i] = i * 37 % 101 - 50;
  for (int group = 0; group < size / group_size; ++group)
    turns[group] = group == 2 ? 0 : group * 5;
  reduce(queue, in, out);
  queue.wait();
  for (int group = 0; group < size / group_size; ++group) {
    int sum = 0;
    for (int i = 0; i < group_size; ++i)
      sum += in[group * group_size + i];
    CHECK_EQUAL(out[group], sum);
  }
  scan(queue, in, out);
  queue.wait();
  for (int i = 0, sum = 0; i < size; ++i) {
    sum = i % group_size == 0 ? in[i] : sum + in[i];
    CHECK_EQUAL(out[i], sum);
  }
  rotate(queue, in, turns, out);
  queue.wait();
  for (int i = 0; i < size; ++i) {
    const int group = i / group_size;
    CHECK_EQUAL(out[i], in[group * group_size + (i + turns[group]) % group_size]);
  }
  sycl::free(in, queue);
  sycl::free(out, queue);
  sycl::free(turns, queue);
  return pass();
}
