// Reductions and scans of sub-groups of a required size, with all operators of a type: each equals
// a loop over the sub-group.
#ifndef PROGRAMS_GROUPS_SUB_GROUP_OPERATORS_HPP
#define PROGRAMS_GROUPS_SUB_GROUP_OPERATORS_HPP

#include "sub_group_cases.hpp"

// Results with and without a start.
template <class T> struct combined {
  T all, all_from, through, through_from, before, before_from;
};

template <class Operator, class T> combined<T> combine(const sycl::sub_group &part, T x, T start) {
  const typename Operator::operation operation;
  return {sycl::reduce_over_group(part, x, operation),         sycl::reduce_over_group(part, x, start, operation),
          sycl::inclusive_scan_over_group(part, x, operation),
          sycl::inclusive_scan_over_group(part, x, operation, start),
          sycl::exclusive_scan_over_group(part, x, operation),
          sycl::exclusive_scan_over_group(part, x, start, operation)};
}

// A number as a logical operation with the identity gives it back.
template <class Operator, class T> T alone(T x) {
  using operation = typename Operator::operation;
  if constexpr (std::is_same_v<operation, sycl::logical_and<T>> || std::is_same_v<operation, sycl::logical_or<T>>)
    return number<T>(x != T(0));
  else
    return x;
}

// Compares what the work-items of a sub-group have in `results`, each `step` behind the one before.
template <class Operator, class T>
void check_combined(const combined<T> *results, std::size_t step, const members &part, T start) {
  T all = Operator::value(part[0]), all_from = start;
  CHECK_EQUAL(apply<Operator>(results[part[0] * step].before, all), alone<Operator>(all));
  for (std::size_t k = 0; k < part.size(); ++k) {
    const combined<T> &mine = results[part[k] * step];
    const T x = Operator::value(part[k]);
    CHECK(k == 0 || mine.before == (k == 1 ? alone<Operator>(all) : all));
    CHECK_EQUAL(mine.before_from, all_from);
    all = k == 0 ? x : apply<Operator>(all, x);
    all_from = apply<Operator>(all_from, x);
    CHECK_EQUAL(mine.through, all);
    CHECK_EQUAL(mine.through_from, all_from);
  }
  for (const std::size_t member : part) {
    CHECK_EQUAL(results[member * step].all, all);
    CHECK_EQUAL(results[member * step].all_from, all_from);
  }
}

// Memory of a launch. Nothing here depends on the size of sub-groups, which would be compiled anew
// for each.
template <class T, class... Operators> struct data {
  static constexpr std::size_t count = sizeof...(Operators);

  data(sycl::queue &queue, std::size_t items)
      : places(queue, items), values(queue, items * count), results(queue, items * count) {
    for (std::size_t i = 0; i < items; ++i) {
      T *next = &values[i * count];
      ((*next++ = Operators::value(i)), ...);
    }
  }

  void check(const std::vector<members> &parts, T start) const {
    for (const members &part : parts) {
      const combined<T> *next = results.get();
      (check_combined<Operators>(next++, count, part, start), ...);
    }
  }

  shared_array<place> places;
  shared_array<T> values;
  shared_array<combined<T>> results;
};

template <unsigned Size, class T, class... Operators> struct operators {
  template <int D> static void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
    constexpr std::size_t count = sizeof...(Operators);
    const std::size_t items = shape.get_global_range().size(), width = shape.get_local_range().size();
    const T start = number<T>(2);
    const data<T, Operators...> all(queue, items);
    queue.parallel_for(shape, [=, places = all.places.get(), values = all.values.get(),
                               results = all.results.get()](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
      const std::size_t at = position(item);
      const T *x = values + at * count;
      combined<T> *mine = results + at * count;
      places[at] = place_of(item);
      ((*mine++ = combine<Operators>(item.get_sub_group(), *x++, start)), ...);
    });
    queue.wait();
    all.check(sub_groups_of(queue, all.places, items, width, Size), start);
  }

  // Each shape has one half of the types.
  static void run(sycl::queue &queue) {
    if constexpr (std::is_unsigned_v<T> || std::is_same_v<T, float>)
      check(queue, plane<Size>());
    else
      check(queue, line<Size>());
  }
};

template <class... Types> struct operators_of {
  template <unsigned Size> struct sized {
    static void run(sycl::queue &queue) { (with_operators<Types, operators, Size>(queue), ...); }
  };
};

#endif
