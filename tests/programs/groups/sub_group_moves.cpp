// Values that work-items of sub-groups of 4 to 64 pass to each other, of all types and sizes, and
// their votes.
#include "sub_group_cases.hpp"

#include <array>
#include <utility>

namespace {

// Moved in pieces of four, two and one byte, and of eight bytes.
struct seven_bytes {
  std::array<unsigned char, 7> bytes;
  friend bool operator==(const seven_bytes &a, const seven_bytes &b) { return a.bytes == b.bytes; }
};
struct three_words {
  std::uint64_t first, second, third;
  friend bool operator==(const three_words &a, const three_words &b) {
    return a.first == b.first && a.second == b.second && a.third == b.third;
  }
};

template <class T> T value(std::size_t i) {
  if constexpr (std::is_same_v<T, seven_bytes>) {
    seven_bytes made{};
    for (std::size_t k = 0; k < 7; ++k)
      made.bytes[k] = static_cast<unsigned char>(mixed(i) >> k * 5);
    return made;
  } else if constexpr (std::is_same_v<T, three_words>)
    return {mixed(i), ~mixed(i), mixed(i) * 3};
  else
    return any_value<T>(i);
}

// Numbers that the device's compiler does not know.
struct unknown {
  unsigned lane, distance, difference;
};

template <class T> struct moved {
  T first, last, chosen, next, second_next, unmoved, far, previous, second_previous, from_far;
  T partner, opposite, mirrored, other, turned, picked;
};

// Memory of a launch. Nothing here depends on the size of sub-groups, which would be compiled anew
// for each.
template <class T> struct data {
  data(sycl::queue &queue, std::size_t items, const unknown &used)
      : places(queue, items), values(queue, items), results(queue, items), numbers(queue, 1) {
    numbers[0] = used;
    for (std::size_t i = 0; i < items; ++i)
      values[i] = value<T>(i);
  }

  void check(const std::vector<members> &parts, unsigned most) const {
    for (const members &part : parts)
      for (unsigned lane = 0; lane < part.size(); ++lane)
        check(part, lane, most);
  }

  void check(const members &part, unsigned lane, unsigned most) const {
    const moved<T> &mine = results[part[lane]];
    const unsigned size = static_cast<unsigned>(part.size()), half = most / 2;
    const auto [chosen, distance, difference] = numbers[0];
    const std::pair<const T *, unsigned> found[] = {
        {&mine.first, 0},         {&mine.last, size - 1},
        {&mine.chosen, chosen},   {&mine.unmoved, lane},
        {&mine.next, lane + 1},   {&mine.second_next, lane + 2},
        {&mine.far, lane + distance}, {&mine.from_far, lane - distance},
        {&mine.previous, lane - 1},   {&mine.second_previous, lane - 2},
        {&mine.partner, lane ^ 1},    {&mine.opposite, lane ^ half},
        {&mine.mirrored, lane ^ (most - 1)}, {&mine.other, lane ^ difference},
        {&mine.turned, size - 1 - lane},     {&mine.picked, (lane * 5 + chosen) % size}};
    for (const auto &[x, from] : found)
      CHECK(from >= size || *x == value<T>(part[from]));
  }

  shared_array<place> places;
  shared_array<T> values;
  shared_array<moved<T>> results;
  shared_array<unknown> numbers;
};

template <unsigned Size, class T, int D>
void check(sycl::queue &queue, const sycl::nd_range<D> &shape, const unknown &numbers) {
  const std::size_t items = shape.get_global_range().size(), width = shape.get_local_range().size();
  const data<T> all(queue, items, numbers);
  queue.parallel_for(shape, [=, places = all.places.get(), values = all.values.get(), results = all.results.get(),
                             known = all.numbers.get()](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
    const sycl::sub_group part = item.get_sub_group();
    const std::size_t at = position(item);
    const place own = places[at] = place_of(item);
    const T x = values[at];
    const auto from = [&](unsigned lane) { return sycl::select_from_group(part, x, sycl::id<1>(lane)); };
    results[at] = {sycl::group_broadcast(part, x),
                   sycl::group_broadcast(part, x, own.size - 1),
                   sycl::group_broadcast(part, x, sycl::id<1>(known->lane)),
                   sycl::shift_group_left(part, x),
                   sycl::shift_group_left(part, x, 2),
                   sycl::shift_group_left(part, x, 0),
                   sycl::shift_group_left(part, x, known->distance),
                   sycl::shift_group_right(part, x),
                   sycl::shift_group_right(part, x, 2),
                   sycl::shift_group_right(part, x, known->distance),
                   sycl::permute_group_by_xor(part, x, 1),
                   sycl::permute_group_by_xor(part, x, Size / 2),
                   sycl::permute_group_by_xor(part, x, Size - 1),
                   sycl::permute_group_by_xor(part, x, known->difference),
                   from(own.size - 1 - own.lane),
                   from((own.lane * 5 + known->lane) % own.size)};
  });
  queue.wait();
  all.check(sub_groups_of(queue, all.places, items, width, Size), Size);
}

struct votes {
  bool any, all, none;
};

// Votes of which every `step`-th work-item says yes.
template <unsigned Size> void check_votes(sycl::queue &queue, std::size_t step) {
  const auto shape = plane<Size>();
  const std::size_t items = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<place> places(queue, items);
  shared_array<bool> says_yes(queue, items);
  shared_array<votes> results(queue, items);
  for (std::size_t i = 0; i < items; ++i)
    says_yes[i] = i % step == step - 1;
  queue.parallel_for(shape, [=, places = places.get(), says_yes = says_yes.get(),
                             results = results.get()](sycl::nd_item<2> item) [[sycl::reqd_sub_group_size(Size)]] {
    const sycl::sub_group part = item.get_sub_group();
    const std::size_t at = position(item);
    places[at] = place_of(item);
    results[at] = {sycl::any_of_group(part, says_yes[at]), sycl::all_of_group(part, says_yes[at]),
                   sycl::none_of_group(part, says_yes[at])};
  });
  queue.wait();
  for (const members &part : sub_groups_of(queue, places, items, width, Size)) {
    const auto yes = std::count_if(part.begin(), part.end(), [&](std::size_t i) { return says_yes[i]; });
    for (const std::size_t member : part) {
      const votes &mine = results[member];
      CHECK(mine.any == (yes > 0) && mine.all == (yes == static_cast<std::ptrdiff_t>(part.size())));
      CHECK(mine.none == (yes == 0));
    }
  }
}

template <unsigned Size> struct moves {
  template <class T> static void type(sycl::queue &queue) {
    if constexpr (std::is_unsigned_v<T> || std::is_same_v<T, float>)
      check<Size, T>(queue, plane<Size>(), {2, 3, Size / 2 + 1});
    else
      check<Size, T>(queue, line<Size>(), {1, Size / 2, 2});
  }
  template <class... Types> static void types(sycl::queue &queue) { (type<Types>(queue), ...); }

  static void run(sycl::queue &queue) {
    types<signed char, short, int, long, unsigned char, unsigned short, unsigned, unsigned long>(queue);
    types<sycl::half, float, bool, seven_bytes, three_words>(queue);
    if (queue.get_device().has(sycl::aspect::fp64))
      type<double>(queue);
    for (const std::size_t step : {1, 2, 7, 97, 1000})
      check_votes<Size>(queue, step);
  }
};

} // namespace

int main() {
  sycl::queue queue;
  for_each_size<moves>(queue);
  return pass();
}
