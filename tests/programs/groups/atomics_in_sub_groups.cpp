// Atomic operations in local memory by sub-groups of every size: the lanes that update one place
// together lose nothing, and each gets the value that its own update found.
// levels: 0 2
#include "shapes.hpp"

#include <algorithm>
#include <vector>

namespace {

constexpr std::size_t groups = 3, width = 96, bins = 7;

template <class T>
using local_atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                      sycl::access::address_space::local_space>;

unsigned input(std::size_t i) { return static_cast<unsigned>((i * 2654435761u) >> 9); }

struct results {
  unsigned counts[bins], most, bits, swapped, exchanged;
  float sum;
};

template <unsigned Size> void check(sycl::queue &queue) {
  const auto supported = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  if (std::find(supported.begin(), supported.end(), std::size_t(Size)) == supported.end())
    return;
  shared_array<results> out(queue, groups);
  shared_array<unsigned> places(queue, groups * width), sizes(queue, groups * width);
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<results, 0> shared(handler);
    handler.parallel_for(
        sycl::nd_range<1>(groups * width, width),
        [shared, out = out.get(), places = places.get(), sizes = sizes.get()](sycl::nd_item<1> item)
            [[sycl::reqd_sub_group_size(Size)]] {
              const std::size_t i = item.get_global_linear_id();
              results &mine = shared;
              if (item.get_local_linear_id() == 0)
                mine = results{};
              sycl::group_barrier(item.get_group());
              const unsigned x = static_cast<unsigned>((i * 2654435761u) >> 9);
              places[i] = local_atomic<unsigned>(mine.counts[x % bins]).fetch_add(1u);
              local_atomic<unsigned>(mine.most).fetch_max(x);
              local_atomic<unsigned>(mine.bits).fetch_or(1u << (x % 31));
              local_atomic<unsigned>(mine.exchanged).exchange(x);
              local_atomic<float>(mine.sum).fetch_add(1.5f);
              unsigned seen = local_atomic<unsigned>(mine.swapped).load();
              while (!local_atomic<unsigned>(mine.swapped).compare_exchange_weak(seen, seen + x))
                ;
              sizes[i] = sycl::reduce_over_group(item.get_sub_group(), 1u, sycl::plus<unsigned>());
              sycl::group_barrier(item.get_group());
              if (item.get_local_linear_id() == 0)
                out[item.get_group_linear_id()] = mine;
            });
  });
  queue.wait_and_throw();
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<unsigned> inputs(width), found[bins];
    results expected{};
    for (std::size_t i = 0; i < width; ++i) {
      const unsigned x = inputs[i] = input(group * width + i);
      found[x % bins].push_back(places[group * width + i]);
      expected.most = std::max(expected.most, x);
      expected.bits |= 1u << (x % 31);
      expected.swapped += x;
      CHECK_EQUAL(sizes[group * width + i], std::min<std::size_t>(Size, width - i / Size * Size));
    }
    CHECK_EQUAL(out[group].most, expected.most);
    CHECK_EQUAL(out[group].bits, expected.bits);
    CHECK_EQUAL(out[group].swapped, expected.swapped);
    CHECK_EQUAL(out[group].sum, 1.5f * width);
    CHECK(std::count(inputs.begin(), inputs.end(), out[group].exchanged) > 0);
    for (std::size_t bin = 0; bin < bins; ++bin) {
      CHECK_EQUAL(out[group].counts[bin], found[bin].size());
      std::sort(found[bin].begin(), found[bin].end());
      for (unsigned place = 0; place < found[bin].size(); ++place)
        CHECK_EQUAL(found[bin][place], place);
    }
  }
}

} // namespace

int main() {
  sycl::queue queue;
  check<1>(queue);
  check<4>(queue);
  check<8>(queue);
  check<16>(queue);
  check<32>(queue);
  check<64>(queue);
  return pass();
}
