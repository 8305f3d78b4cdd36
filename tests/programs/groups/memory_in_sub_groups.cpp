// Work-items write to local and global memory between two functions of a sub-group: the others see
// it behind the second one, as if that were a barrier. GPUs do not promise that; programs for warps
// rely on it.
// devices: host
// levels: 0 3
#include "sub_group_cases.hpp"

namespace {

// The functions; each may be all that is between two accesses.
enum class function { left, right, partner, select, broadcast, any, all, ballot, reduce, inclusive, exclusive, wide };

template <function Function> unsigned call(const sycl::sub_group &part, unsigned x) {
  const std::uint64_t wide = x * 0x100000001u;
  std::uint64_t bits = 0;
  switch (Function) {
  case function::left: return sycl::shift_group_left(part, x);
  case function::right: return sycl::shift_group_right(part, x);
  case function::partner: return sycl::permute_group_by_xor(part, x, 1);
  case function::select: return sycl::select_from_group(part, x, 0);
  case function::broadcast: return sycl::group_broadcast(part, x);
  case function::any: return sycl::any_of_group(part, x == 3);
  case function::all: return sycl::all_of_group(part, x < 1000);
  case function::ballot: sycl::ext::oneapi::group_ballot(part, x % 3 == 1).extract_bits(bits); break;
  case function::reduce: return sycl::reduce_over_group(part, x, sycl::plus<unsigned>());
  case function::inclusive: return sycl::inclusive_scan_over_group(part, x, sycl::maximum<unsigned>());
  case function::exclusive: return sycl::exclusive_scan_over_group(part, x, sycl::plus<unsigned>());
  case function::wide: bits = sycl::shift_group_left(part, wide); break;
  }
  return static_cast<unsigned>(bits);
}

// The values that a work-item has read.
struct seen {
  unsigned own, common, of_first, of_next, of_previous, sum, used;
};

// Cells of a sub-group of `size` work-items: one for each, and one behind them.
template <function Function> seen exchange(const sycl::sub_group &part, unsigned *cells) {
  const unsigned lane = part.get_local_linear_id(), size = part.get_local_linear_range();
  seen found{};
  // The own cell is written by the one before.
  cells[lane] = 100 + lane;
  call<Function>(part, lane);
  cells[lane + 1] = 200 + lane;
  found.used += call<Function>(part, lane + 1);
  found.own = cells[lane];
  call<Function>(part, lane);
  // All write the same cell.
  cells[0] = 300 + lane;
  call<Function>(part, lane);
  found.common = cells[0];
  found.used += call<Function>(part, found.common);
  // One writes.
  if (lane == 0)
    cells[0] = found.common * 2;
  call<Function>(part, lane);
  found.of_first = cells[0] - found.common;
  found.used += call<Function>(part, found.of_first);
  // All write their cells, and read those of their neighbours, which change them.
  cells[lane] = 5 * lane;
  call<Function>(part, lane);
  found.of_next = cells[(lane + 1) % size];
  call<Function>(part, lane);
  cells[lane] = 7 * found.of_next + lane;
  call<Function>(part, lane);
  found.of_previous = cells[(lane + size - 1) % size];
  found.used += call<Function>(part, found.of_previous);
  // Sums of all in rounds.
  cells[lane] = lane + 1;
  for (unsigned step = 1; step < size; step *= 2) {
    call<Function>(part, lane);
    const unsigned other = lane >= step ? cells[lane - step] : 0;
    call<Function>(part, step);
    cells[lane] += other;
  }
  call<Function>(part, lane);
  found.sum = cells[size - 1];
  return found;
}

void check(const shared_array<seen> &results, std::size_t count, std::size_t width, std::size_t most) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = i % width, first = i - number % most, lane = i - first;
    const std::size_t size = std::min(most, width - number + lane), next = (lane + 1) % size;
    const seen &found = results[i];
    CHECK_EQUAL(found.own, lane == 0 ? 100 : 199 + lane);
    CHECK(found.common >= 300 && found.common < 300 + size && found.common == results[first].common);
    CHECK_EQUAL(found.of_first, found.common);
    CHECK_EQUAL(found.of_next, 5 * next);
    CHECK_EQUAL(found.of_previous, 35 * lane + (lane + size - 1) % size);
    CHECK_EQUAL(found.sum, size * (size + 1) / 2);
  }
}

template <unsigned Size, function Function, int D> void run(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  const std::size_t cells = (width / Size + 1) * (Size + 1);
  const shared_array<unsigned> memory(queue, count / width * cells);
  const shared_array<seen> in_local(queue, count), in_global(queue, count);
  queue.submit([&](sycl::handler &handler) {
    const sycl::local_accessor<unsigned> local(sycl::range<1>(cells), handler);
    handler.parallel_for(shape, [=, global = memory.get(), of_local = in_local.get(), of_global = in_global.get()](
                                    sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
      const sycl::sub_group part = item.get_sub_group();
      const std::size_t first = part.get_group_linear_id() * (Size + 1);
      of_local[position(item)] = exchange<Function>(part, &local[first]);
      of_global[position(item)] = exchange<Function>(part, global + item.get_group_linear_id() * cells + first);
    });
  });
  queue.wait();
  check(in_local, count, width, Size);
  check(in_global, count, width, Size);
}

template <unsigned Size> struct sized {
  template <function... Functions> static void functions(sycl::queue &queue) {
    (::run<Size, Functions>(queue, line<Size>()), ...);
  }
  static void run(sycl::queue &queue) {
    functions<function::left, function::right, function::partner, function::select>(queue);
    functions<function::broadcast, function::any, function::all, function::ballot>(queue);
    functions<function::reduce, function::inclusive, function::exclusive, function::wide>(queue);
    ::run<Size, function::partner>(queue, plane<Size>());
  }
};

} // namespace

int main() {
  sycl::queue queue;
  for_each_size<sized>(queue);
  return pass();
}
