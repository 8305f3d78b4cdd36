// Sub-groups of which some work-items have returned: reductions, votes and values are those of the
// others. SYCL leaves that open, and so do GPUs; programs for warps rely on it.
// devices: host
#include "sub_group_cases.hpp"

namespace {

// Which work-items of a sub-group return before.
enum class leaving { nobody, some, first_ones, last_ones, all_but_one };

bool leaves(leaving who, std::size_t item, unsigned lane, unsigned size) {
  switch (who) {
  case leaving::nobody: return false;
  case leaving::some: return item % 5 == 3 || item % 7 == 0;
  case leaving::first_ones: return lane < size / 2;
  case leaving::last_ones: return lane > size / 3;
  case leaving::all_but_one: return lane != item % size;
  }
  return false;
}

struct counted {
  std::uint64_t ballot;
  bool any, all, none;
};

template <class T> struct moved {
  T of_last, of_neighbour;
};

// Where the last of those of its sub-group that stay is, and the next one, cyclically.
struct lanes {
  bool returns;
  unsigned last, neighbour;
};

// Memory of a launch. Nothing here depends on the size of sub-groups, which would be compiled anew
// for each.
template <class T, class... Operators> struct data {
  static constexpr std::size_t count = sizeof...(Operators);

  data(sycl::queue &queue, std::size_t items)
      : values(queue, items * count), reduced(queue, items * count), votes(queue, items), moves(queue, items),
        others(queue, items) {
    for (std::size_t i = 0; i < items; ++i) {
      T *next = &values[i * count];
      ((*next++ = Operators::value(i)), ...);
    }
  }

  // Lets work-items return, and gives the others of each sub-group back.
  std::vector<members> choose(leaving who, std::size_t items, std::size_t width, unsigned most) const {
    std::vector<members> all;
    for (std::size_t first = 0; first < items; first += width)
      for (std::size_t from = first; from < first + width; from += most)
        all.push_back(choose_in(who, from, std::min<std::size_t>(most, first + width - from)));
    return all;
  }

  members choose_in(leaving who, std::size_t from, std::size_t size) const {
    members stay;
    for (std::size_t lane = 0; lane < size; ++lane) {
      others[from + lane].returns = leaves(who, from + lane, static_cast<unsigned>(lane), static_cast<unsigned>(size));
      if (!others[from + lane].returns)
        stay.push_back(from + lane);
    }
    for (std::size_t k = 0; k < stay.size(); ++k) {
      others[stay[k]].last = static_cast<unsigned>(stay.back() - from);
      others[stay[k]].neighbour = static_cast<unsigned>(stay[(k + 1) % stay.size()] - from);
    }
    return stay;
  }

  void check(const members &stay, std::size_t width, unsigned most) const {
    const T *next = reduced.get();
    (check_reduced<Operators>(next++, stay), ...);
    for (std::size_t k = 0; k < stay.size(); ++k) {
      check_votes(votes[stay[k]], stay, width, most);
      CHECK(moves[stay[k]].of_last == values[stay.back() * count]);
      CHECK(moves[stay[k]].of_neighbour == values[stay[(k + 1) % stay.size()] * count]);
    }
  }

  template <class Operator> static void check_reduced(const T *results, const members &stay) {
    T all = stay.empty() ? T() : Operator::value(stay[0]);
    for (std::size_t k = 1; k < stay.size(); ++k)
      all = apply<Operator>(all, Operator::value(stay[k]));
    for (const std::size_t member : stay)
      CHECK_EQUAL(results[member * count], all);
  }

  static void check_votes(const counted &found, const members &stay, std::size_t width, unsigned most) {
    std::uint64_t ballot = 0;
    std::size_t yes = 0;
    for (const std::size_t member : stay)
      if (member % 3 == 1) {
        ballot |= std::uint64_t(1) << (member % width % most);
        ++yes;
      }
    CHECK(found.ballot == ballot);
    CHECK(found.any == (yes > 0) && found.all == (yes == stay.size()) && found.none == (yes == 0));
  }

  shared_array<T> values, reduced;
  shared_array<counted> votes;
  shared_array<moved<T>> moves;
  shared_array<lanes> others;
};

template <unsigned Size, class T, class... Operators> struct after_returns {
  template <int D> static void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
    constexpr std::size_t count = sizeof...(Operators);
    const std::size_t items = shape.get_global_range().size(), width = shape.get_local_range().size();
    const data<T, Operators...> all(queue, items);
    for (const leaving who :
         {leaving::nobody, leaving::some, leaving::first_ones, leaving::last_ones, leaving::all_but_one}) {
      const std::vector<members> parts = all.choose(who, items, width, Size);
      queue.parallel_for(shape, [=, values = all.values.get(), reduced = all.reduced.get(), votes = all.votes.get(),
                                 moves = all.moves.get(),
                                 others = all.others.get()](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
        const sycl::sub_group part = item.get_sub_group();
        const std::size_t at = position(item);
        if (others[at].returns)
          return;
        const bool yes = at % 3 == 1;
        sycl::ext::oneapi::group_ballot(part, yes).extract_bits(votes[at].ballot);
        votes[at].any = sycl::any_of_group(part, yes);
        votes[at].all = sycl::all_of_group(part, yes);
        votes[at].none = sycl::none_of_group(part, yes);
        const T *x = values + at * count;
        moves[at] = {sycl::group_broadcast(part, *x, others[at].last),
                     sycl::select_from_group(part, *x, sycl::id<1>(others[at].neighbour))};
        T *mine = reduced + at * count;
        ((*mine++ = sycl::reduce_over_group(part, *x++, typename Operators::operation())), ...);
      });
      queue.wait();
      for (const members &stay : parts)
        all.check(stay, width, Size);
    }
  }

  static void run(sycl::queue &queue) {
    if constexpr (std::is_unsigned_v<T> || std::is_same_v<T, float>)
      check(queue, plane<Size>());
    else
      check(queue, line<Size>());
  }
};

template <unsigned Size> struct sized {
  template <class... Types> static void types(sycl::queue &queue) {
    (with_operators<Types, after_returns, Size>(queue), ...);
  }
  static void run(sycl::queue &queue) {
    types<signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long>(queue);
    types<sycl::half, float, double, bool>(queue);
  }
};

} // namespace

int main() {
  sycl::queue queue;
  for_each_size<sized>(queue);
  return pass();
}
