// A kernel whose blocks have thousands of instructions, and branches at their ends, computes what a
// loop computes. Code generators cut such blocks.
#include <sycl/sycl.hpp>

#include <utility>

#include "../check.hpp"

constexpr unsigned steps = 900, items = 64;

struct state {
  unsigned value;
  unsigned table[8];
};

constexpr void step(state &s, unsigned i) {
  s.value = (s.value * (2 * i + 1)) ^ (s.table[i % 8] >> (i % 13));
  s.table[(i + 3) % 8] += s.value;
}

template <std::size_t... I> void all_steps(state &s, std::index_sequence<I...>) {
  const int done[] = {(step(s, I), 0)...};
  (void)done;
}

unsigned finish(const state &s, unsigned item) {
  unsigned sum = s.value;
  for (unsigned word : s.table)
    sum = sum % 3 == item % 3 ? sum + word : sum ^ word;
  return sum;
}

state start(unsigned item) {
  state s{item, {}};
  for (unsigned i = 0; i < 8; ++i)
    s.table[i] = item * 0x9e3779b9u + i;
  return s;
}

unsigned by_loop(unsigned item) {
  state s = start(item);
  for (unsigned i = 0; i < steps; ++i)
    step(s, i);
  if (s.value % 2)
    for (unsigned i = 0; i < steps; ++i)
      step(s, i);
  return finish(s, item);
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order{}};
  unsigned *results = sycl::malloc_device<unsigned>(items, queue);
  queue.parallel_for(sycl::range<1>{items}, [=](sycl::id<1> id) {
    state s = start(id[0]);
    all_steps(s, std::make_index_sequence<steps>{});
    if (s.value % 2)
      all_steps(s, std::make_index_sequence<steps>{});
    results[id] = finish(s, id[0]);
  });
  unsigned found[items];
  queue.copy(results, found, items).wait();
  for (unsigned item = 0; item < items; ++item)
    CHECK(found[item] == by_loop(item));
  sycl::free(results, queue);
  std::puts("PASS");
}
