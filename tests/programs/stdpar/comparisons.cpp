// Algorithms that compare elements with their neighbours, or with those of another range.
// options: --stdpar
// devices: host
#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>

#include "offloaded.hpp"

// An iterator whose elements are computed.
template <class Iterator> struct Doubled {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = long;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = long;

  Iterator base;

  long operator*() const { return 2L * *base; }
  long operator[](difference_type n) const { return 2L * base[n]; }
  Doubled &operator++() { return ++base, *this; }
  Doubled operator++(int) { return {base++}; }
  Doubled &operator--() { return --base, *this; }
  Doubled operator--(int) { return {base--}; }
  Doubled &operator+=(difference_type n) { return base += n, *this; }
  Doubled &operator-=(difference_type n) { return base -= n, *this; }
  friend Doubled operator+(Doubled x, difference_type n) { return {x.base + n}; }
  friend Doubled operator+(difference_type n, Doubled x) { return {x.base + n}; }
  friend Doubled operator-(Doubled x, difference_type n) { return {x.base - n}; }
  friend difference_type operator-(Doubled x, Doubled y) { return x.base - y.base; }
  friend bool operator==(Doubled x, Doubled y) { return x.base == y.base; }
  friend bool operator!=(Doubled x, Doubled y) { return x.base != y.base; }
  friend bool operator<(Doubled x, Doubled y) { return x.base < y.base; }
  friend bool operator>(Doubled x, Doubled y) { return x.base > y.base; }
  friend bool operator<=(Doubled x, Doubled y) { return x.base <= y.base; }
  friend bool operator>=(Doubled x, Doubled y) { return x.base >= y.base; }
};

template <class Policy, class Iterator, class Other>
void two_ranges(Policy policy, Iterator first, Iterator last, Other other, Other other_last) {
  const auto is_same = [](auto x, auto y) { return long(x) == long(y); };
  const auto descends = [](auto x, auto y) { return x > y; };
  const auto common = std::min(last - first, other_last - other);
  const auto end = first + common;
  CHECK(std::mismatch(policy, first, end, other) == std::mismatch(first, end, other));
  CHECK(std::mismatch(policy, first, end, other, is_same) == std::mismatch(first, end, other, is_same));
  CHECK(std::mismatch(policy, first, last, other, other_last) == std::mismatch(first, last, other, other_last));
  CHECK(std::mismatch(policy, first, last, other, other_last, is_same) ==
        std::mismatch(first, last, other, other_last, is_same));
  CHECK(std::equal(policy, first, end, other) == std::equal(first, end, other));
  CHECK(std::equal(policy, first, end, other, is_same) == std::equal(first, end, other, is_same));
  CHECK(std::equal(policy, first, last, other, other_last) == std::equal(first, last, other, other_last));
  CHECK(std::equal(policy, first, last, other, other_last, is_same) ==
        std::equal(first, last, other, other_last, is_same));
  CHECK(std::lexicographical_compare(policy, first, last, other, other_last) ==
        std::lexicographical_compare(first, last, other, other_last));
  CHECK(std::lexicographical_compare(policy, other, other_last, first, last, descends) ==
        std::lexicographical_compare(other, other_last, first, last, descends));
}

template <class Policy, class Iterator> void neighbours(Policy policy, Iterator first, Iterator last) {
  const auto greater = std::greater<>();
  const auto is_even = [](auto x) { return static_cast<long>(x) % 2 == 0; };
  const auto adjoin = [](auto x, auto y) { return x + 1 == y; };
  CHECK(std::adjacent_find(policy, first, last) == std::adjacent_find(first, last));
  CHECK(std::adjacent_find(policy, first, last, adjoin) == std::adjacent_find(first, last, adjoin));
  CHECK(std::is_sorted_until(policy, first, last) == std::is_sorted_until(first, last));
  CHECK(std::is_sorted_until(policy, first, last, greater) == std::is_sorted_until(first, last, greater));
  CHECK(std::is_sorted(policy, first, last) == std::is_sorted(first, last));
  CHECK(std::is_sorted(policy, first, last, greater) == std::is_sorted(first, last, greater));
  CHECK(std::is_heap_until(policy, first, last) == std::is_heap_until(first, last));
  CHECK(std::is_heap_until(policy, first, last, greater) == std::is_heap_until(first, last, greater));
  CHECK(std::is_heap(policy, first, last) == std::is_heap(first, last));
  CHECK(std::is_heap(policy, first, last, greater) == std::is_heap(first, last, greater));
  CHECK(std::is_partitioned(policy, first, last, is_even) == std::is_partitioned(first, last, is_even));
}

template <class Type, class Policy> void compare(Policy policy, std::size_t n) {
  auto a = numbers<Type>(n, 100);
  neighbours(policy, a.begin(), a.end());
  two_ranges(policy, a.begin(), a.end(), a.cbegin(), a.cend());
  two_ranges(policy, a.begin(), a.end(), a.rbegin(), a.rend());
  for (const std::size_t place : {std::size_t(0), n / 2, n - 1}) {
    if (place >= n)
      continue;
    std::deque<long> b(a.begin(), a.end());
    ++b[place];
    two_ranges(policy, a.begin(), a.end(), b.begin(), b.end());
    two_ranges(policy, a.begin(), a.end(), a.begin(), a.begin() + long(place));
    std::vector<Type> sorted(n, Type(4)), heap = numbers<Type>(n, 50);
    sorted[place] = Type(7);
    neighbours(policy, sorted.begin(), sorted.end());
    sorted.assign(n, Type(4));
    std::fill(sorted.begin() + long(place), sorted.end(), Type(5));
    neighbours(policy, sorted.begin(), sorted.end());
    neighbours(policy, sorted.rbegin(), sorted.rend());
    std::make_heap(heap.begin(), heap.end());
    neighbours(policy, heap.begin(), heap.end());
    heap[place] = Type(40);
    neighbours(policy, heap.begin(), heap.end());
  }
  const Doubled<typename std::vector<Type>::iterator> first{a.begin()}, last{a.end()};
  neighbours(policy, first, last);
  two_ranges(policy, a.begin(), a.end(), first, last);
}

template <class Policy, class Iterator, class Wanted>
void find_wanted(Policy policy, Iterator first, Iterator last, Wanted wanted, Wanted wanted_last) {
  const auto is_near = [](auto x, auto y) { return x / 2 == y / 2; };
  CHECK(std::search(policy, first, last, wanted, wanted_last) == std::search(first, last, wanted, wanted_last));
  CHECK(std::search(policy, first, last, wanted, wanted_last, is_near) ==
        std::search(first, last, wanted, wanted_last, is_near));
  CHECK(std::find_end(policy, first, last, wanted, wanted_last) == std::find_end(first, last, wanted, wanted_last));
  CHECK(std::find_end(policy, first, last, wanted, wanted_last, is_near) ==
        std::find_end(first, last, wanted, wanted_last, is_near));
  if (wanted_last - wanted > 100)
    return;
  CHECK(std::find_first_of(policy, first, last, wanted, wanted_last) ==
        std::find_first_of(first, last, wanted, wanted_last));
  CHECK(std::find_first_of(policy, first, last, wanted, wanted_last, is_near) ==
        std::find_first_of(first, last, wanted, wanted_last, is_near));
}

template <class Type, class Policy> void search(Policy policy, std::size_t n) {
  const auto is_above = [](auto x, auto bound) { return x > bound; };
  for (const std::uint64_t range : {3u, 1000u}) {
    const auto a = numbers<Type>(n, range);
    const auto first = a.begin(), last = a.end();
    for (const std::size_t length : {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(5), n / 2, n, n + 1}) {
      CHECK(std::search_n(policy, first, last, length, 0) == std::search_n(first, last, length, 0));
      CHECK(std::search_n(policy, first, last, int(length), Type(-1), is_above) ==
            std::search_n(first, last, int(length), Type(-1), is_above));
      const std::vector<long> other(length, 1);
      find_wanted(policy, first, last, other.begin(), other.end());
      if (length > n)
        continue;
      for (const std::size_t place : {std::size_t(0), (n - length) / 2, n - length})
        find_wanted(policy, first, last, first + long(place), first + long(place + length));
    }
    CHECK(std::search_n(policy, first, last, -1, 0) == first);
    find_wanted(policy, a.rbegin(), a.rend(), first, first + long(n / 7));
  }
}

int main() {
  with_policies([](auto policy, std::size_t n) {
    compare<int>(policy, n);
    compare<double>(policy, n);
    search<short>(policy, n);
    search<long>(policy, n);
    const std::vector<int> a(n, 1), b = a;
    if (n < 2)
      return;
    const std::deque<int> queue(n, 1);
    CHECK(on_device([&] { return std::equal(policy, queue.rbegin(), queue.rend(), a.rbegin()); }));
    CHECK(on_device([&] { return std::equal(policy, a.begin(), a.end(), b.begin()); }));
    CHECK(on_device([&] { return std::mismatch(policy, a.begin(), a.end(), b.begin()); }).first == a.end());
    CHECK(!on_device([&] { return std::lexicographical_compare(policy, a.begin(), a.end(), b.begin(), b.end()); }));
    CHECK(on_device([&] { return std::adjacent_find(policy, a.begin(), a.end()); }) == a.begin());
    CHECK(on_device([&] { return std::is_sorted(policy, a.begin(), a.end()); }));
    CHECK(on_device([&] { return std::is_sorted_until(policy, a.begin(), a.end()); }) == a.end());
    CHECK(on_device([&] { return std::is_heap(policy, a.begin(), a.end()); }));
    CHECK(on_device([&] { return std::is_heap_until(policy, a.begin(), a.end()); }) == a.end());
    CHECK(on_device([&] { return std::is_partitioned(policy, a.begin(), a.end(), [](int x) { return x == 1; }); }));
    CHECK(on_device([&] { return std::search(policy, a.begin(), a.end(), b.begin(), b.end()); }) == a.begin());
    CHECK(on_device([&] { return std::find_end(policy, a.begin(), a.end(), b.begin(), b.begin() + 1); }) ==
          a.end() - 1);
    CHECK(on_device([&] { return std::find_first_of(policy, a.begin(), a.end(), b.begin(), b.end()); }) == a.begin());
    CHECK(on_device([&] { return std::search_n(policy, a.begin(), a.end(), 2, 1); }) == a.begin());
  });
  return pass();
}
