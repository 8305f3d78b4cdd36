// Values live across barriers: scalars of several types, arrays, structures and pointers to private
// variables.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct state {
  double weight;
  short tag;
  bool odd;
  sycl::vec<float, 4> colour;
};

int main() {
  sycl::queue queue;
  constexpr int size = 160, group_size = 40;
  double *out = sycl::malloc_shared<double>(size, queue);
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int> shared(group_size, cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int global = static_cast<int>(item.get_global_id(0)), mine = static_cast<int>(item.get_local_id(0));
      int history[5] = {global, 0, 0, 0, 0};
      state own{0.5 * global, static_cast<short>(mine), mine % 2 == 1, sycl::vec<float, 4>(1.0f * mine)};
      int *const cursor = &history[mine % 5];
      long long wide = 1ll << (mine % 40);
      for (int turn = 1; turn < 5; ++turn) {
        shared[mine] = history[turn - 1];
        item.barrier(sycl::access::fence_space::local_space);
        history[turn] = shared[(mine + turn) % group_size];
        own.weight += own.odd ? 1 : -1;
        wide += turn;
        item.barrier(sycl::access::fence_space::local_space);
      }
      *cursor += 100000;
      double sum = own.weight + own.tag + own.colour.x() + own.colour.w() + static_cast<double>(wide);
      for (int i = 0; i < 5; ++i)
        sum += history[i] * (i + 1.0);
      out[global] = sum;
    });
  });
  queue.wait();
  for (int global = 0; global < size; ++global) {
    const int mine = global % group_size, start = global - mine;
    int history[5], place = mine;
    history[0] = global;
    // Each iteration reads the value of the neighbour at distance `turn`, which came from further
    // away in earlier iterations.
    for (int turn = 1; turn < 5; ++turn) {
      place = mine;
      for (int back = turn; back >= 1; --back)
        place = (place + back) % group_size;
      history[turn] = start + place;
    }
    history[mine % 5] += 100000;
    double sum = 0.5 * global + (mine % 2 == 1 ? 4 : -4) + mine * 3 + static_cast<double>((1ll << (mine % 40)) + 10);
    for (int i = 0; i < 5; ++i)
      sum += history[i] * (i + 1.0);
    CHECK_EQUAL(out[global], sum);
  }
  sycl::free(out, queue);
  return pass();
}
