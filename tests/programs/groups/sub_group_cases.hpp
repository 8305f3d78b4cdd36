// Sub-groups of a required size, as the device has formed them, and what the programs about them
// combine.
#ifndef PROGRAMS_GROUPS_SUB_GROUP_CASES_HPP
#define PROGRAMS_GROUPS_SUB_GROUP_CASES_HPP

#include "shapes.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

// The number of a work-item's sub-group in its work-group, its own in it, and how many there are.
struct place {
  unsigned part, lane, size;
};

template <int D> place place_of(const sycl::nd_item<D> &item) {
  const sycl::sub_group part = item.get_sub_group();
  return {part.get_group_linear_id(), part.get_local_linear_id(), part.get_local_linear_range()};
}

// Two work-groups, each of full sub-groups and a smaller one at the end, whose rows are no
// sub-groups in the second shape.
template <unsigned Size> sycl::nd_range<1> line() { return {2 * (Size + Size / 2 + 1), Size + Size / 2 + 1}; }
template <unsigned Size> sycl::nd_range<2> plane() { return {{6, Size / 2 + 1}, {3, Size / 2 + 1}}; }

using members = std::vector<std::size_t>;

// The work-items of each sub-group, in the order of their numbers. Drivers of OpenCL may choose
// others than consecutive ones.
inline std::vector<members> sub_groups_of(const sycl::queue &queue, const shared_array<place> &places,
                                          std::size_t count, std::size_t width, unsigned most) {
  const bool consecutive = queue.get_device().get_backend() != sycl::backend::opencl;
  std::vector<members> all;
  for (std::size_t first = 0; first < count; first += width) {
    const std::size_t before = all.size();
    for (std::size_t i = first; i < first + width; ++i) {
      const place &own = places[i];
      CHECK(own.size <= most && own.lane < own.size && own.part < width);
      all.resize(std::max(all.size(), before + own.part + 1));
      members &part = all[before + own.part];
      part.resize(own.size, count);
      CHECK(own.lane < part.size() && part[own.lane] == count);
      part[own.lane] = i;
      CHECK(!consecutive || (own.part == (i - first) / most && own.lane == (i - first) % most));
    }
  }
  for (const members &part : all)
    CHECK(!part.empty() && std::find(part.begin(), part.end(), count) == part.end());
  return all;
}

template <unsigned Size> bool has_size(const sycl::queue &queue) {
  const auto sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  return std::find(sizes.begin(), sizes.end(), std::size_t(Size)) != sizes.end();
}

// Calls `Check<Size>::run(queue)` for each size that the device has.
template <template <unsigned> class Check, unsigned... Sizes> void for_each_size_of(sycl::queue &queue) {
  (void)std::initializer_list<int>{(has_size<Sizes>(queue) ? (Check<Sizes>::run(queue), 0) : 0)...};
}
template <template <unsigned> class Check> void for_each_size(sycl::queue &queue) {
#ifdef FEWER_INSTANCES
  for_each_size_of<Check, 8, 32>(queue);
#else
  for_each_size_of<Check, 4, 8, 16, 32, 64>(queue);
#endif
}

template <class T> inline constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, sycl::half>;

// Bits that look random.
inline std::uint64_t mixed(std::size_t i) { return (i + 1) * 0x9e3779b97f4a7c15u >> 20; }

template <class T> T number(int x) {
  if constexpr (is_float<T>)
    return static_cast<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

// Any value of an integer type, or a number that each floating-point type has.
template <class T> T any_value(std::size_t i) {
  if constexpr (is_float<T>)
    return number<T>(static_cast<int>(mixed(i) % 2001) - 1000);
  else if constexpr (std::is_same_v<T, bool>)
    return mixed(i) % 2 == 0;
  else
    return static_cast<T>(mixed(i));
}

// `others`, of which some work-items have one bit changed.
template <class T> T one_bit(std::size_t i, std::uint64_t others) {
  if constexpr (std::is_same_v<T, bool>)
    return (others != 0) != (i % 23 == 11);
  else
    return static_cast<T>(others ^ (std::uint64_t(i % 3 == 0) << (i * 5 % (8 * sizeof(T)))));
}

// An operation with the values for it: results tell work-items apart, and those of floating-point
// numbers are exact.
template <class T> struct plus {
  using operation = sycl::plus<T>;
  static T value(std::size_t i) {
    return is_float<T> ? number<T>(static_cast<int>((i * 7 + i / 3) % 11) - 3) : any_value<T>(i);
  }
};
template <class T> struct multiplies {
  using operation = sycl::multiplies<T>;
  static T value(std::size_t i) {
    if constexpr (is_float<T>)
      return static_cast<T>(i % 5 == 0 ? 2.0f : i % 5 == 2 ? 0.5f : i % 7 == 3 ? -1.0f : 1.0f);
    else
      return static_cast<T>(mixed(i) | 1);
  }
};
template <class T> struct minimum {
  using operation = sycl::minimum<T>;
  static T value(std::size_t i) { return any_value<T>(i); }
};
template <class T> struct maximum {
  using operation = sycl::maximum<T>;
  static T value(std::size_t i) { return any_value<T>(i); }
};
template <class T> struct bit_and {
  using operation = sycl::bit_and<T>;
  static T value(std::size_t i) { return one_bit<T>(i, ~std::uint64_t(0)); }
};
template <class T> struct bit_or {
  using operation = sycl::bit_or<T>;
  static T value(std::size_t i) { return one_bit<T>(i, 0); }
};
template <class T> struct bit_xor {
  using operation = sycl::bit_xor<T>;
  static T value(std::size_t i) { return any_value<T>(i); }
};
template <class T> struct logical_and {
  using operation = sycl::logical_and<T>;
  static T value(std::size_t i) { return number<T>(i % 23 == 11 ? 0 : static_cast<int>(i % 2) + 1); }
};
template <class T> struct logical_or {
  using operation = sycl::logical_or<T>;
  static T value(std::size_t i) { return number<T>(i % 23 == 11 ? 2 : 0); }
};

// The result on the host. Sums and products of integers wrap around.
template <class Operator, class T> T apply(T a, T b) {
  using operation = typename Operator::operation;
  if constexpr (std::is_integral_v<T> && std::is_same_v<operation, sycl::plus<T>>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else if constexpr (std::is_integral_v<T> && std::is_same_v<operation, sycl::multiplies<T>>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return static_cast<T>(operation()(a, b));
}

// The operators of a type, as the arguments of a template.
template <class T, template <unsigned, class, class...> class Check, unsigned Size>
void with_operators(sycl::queue &queue) {
  if constexpr (is_float<T>)
    Check<Size, T, plus<T>, multiplies<T>, minimum<T>, maximum<T>, logical_and<T>, logical_or<T>>::run(queue);
  else if constexpr (std::is_same_v<T, bool>)
    Check<Size, T, minimum<T>, maximum<T>, bit_and<T>, bit_or<T>, bit_xor<T>, logical_and<T>,
          logical_or<T>>::run(queue);
  else
    Check<Size, T, plus<T>, multiplies<T>, minimum<T>, maximum<T>, bit_and<T>, bit_or<T>, bit_xor<T>, logical_and<T>,
          logical_or<T>>::run(queue);
}

#endif
