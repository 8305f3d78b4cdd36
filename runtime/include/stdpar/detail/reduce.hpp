// The primitive of algorithms that combine all elements into one value.
//
// In: at least one index, a function that gives the value of an index, and an associative operation
// whose operands may change places. Out: the combination. The order of operations depends on the
// number of elements and the kind of the device alone.
#ifndef SINTER_STDPAR_REDUCE_HPP
#define SINTER_STDPAR_REDUCE_HPP

#include "group.hpp"
#include "launch.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <functional>
#include <new>
#include <type_traits>

namespace sinter::stdpar {

// Combines the values from `first` to `last`, of which there is one at least, from left to right.
struct ordered_fold {
  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last) {
    Type sum = value(first);
    for (++first; first != last; ++first)
      sum = operation(sum, value(first));
    return sum;
  }
};

// The same in any order: several sums side by side become vector code.
struct fold {
  static constexpr std::size_t width = 16;

  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last) {
    if constexpr (!std::is_arithmetic_v<Type>) {
      return ordered_fold::of<Type>(value, operation, first, last);
    } else {
      if (last - first < 2 * width)
        return ordered_fold::of<Type>(value, operation, first, last);
      Type sums[width];
      for (std::size_t lane = 0; lane != width; ++lane)
        sums[lane] = value(first + lane);
      for (first += width; last - first >= width; first += width)
        for (std::size_t lane = 0; lane != width; ++lane)
          sums[lane] = operation(sums[lane], value(first + lane));
      for (std::size_t lane = 0; first != last; ++first, ++lane)
        sums[lane] = operation(sums[lane], value(first));
      Type sum = sums[0];
      for (std::size_t lane = 1; lane != width; ++lane)
        sum = operation(sum, sums[lane]);
      return sum;
    }
  }
};

// An operation whose operands and result have one type.
template <class Type, class Operation> struct combination {
  Operation operation;

  Type operator()(const Type &left, const Type &right) const {
    return static_cast<Type>(stdpar::call(operation, left, right));
  }
};

// True if the operands may change places.
template <class Operation> inline constexpr bool is_commutative_v = false;
template <class Type, class Of>
inline constexpr bool is_commutative_v<combination<Type, std::plus<Of>>> = std::is_arithmetic_v<Type>;
template <class Type, class Of>
inline constexpr bool is_commutative_v<combination<Type, std::multiplies<Of>>> = std::is_arithmetic_v<Type>;

// The values of every `step`-th index from `first` on, by a work-item whose neighbours have the
// indices in between.
struct stepping_fold {
  static constexpr std::size_t ahead = 8;

  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last,
                 std::size_t step) {
    Type sum = value(first);
    std::size_t index = first + step;
    // The loads of all these values are under way before the first one is used.
    if constexpr (std::is_arithmetic_v<Type>)
      for (; index + (ahead - 1) * step < last; index += ahead * step) {
        Type values[ahead];
        for (std::size_t n = 0; n != ahead; ++n)
          values[n] = value(index + n * step);
        for (std::size_t n = 0; n != ahead; ++n)
          sum = operation(sum, values[n]);
      }
    for (; index < last; index += step)
      sum = operation(sum, value(index));
    return sum;
  }
};

template <class Fold, class Type, class Value, class Operation> struct reduce_kernel {
  Value value;
  Operation operation;
  tiles parts;
  Type *results;

  void run() const {
    const std::size_t tile = group_index(), first = parts.first(tile), last = parts.last(tile);
    if (is_alone())
      ::new (static_cast<void *>(results + tile)) Type(Fold::template of<Type>(value, operation, first, last));
    else
      together(results + tile, first, last);
  }

  void together(Type *result, std::size_t first, std::size_t last) const {
    Type *const sums = group_memory<Type>();
    const std::size_t own = lane(), step = width();
    if (own < last - first)
      ::new (static_cast<void *>(sums + own))
          Type(stepping_fold::of<Type>(value, operation, first + own, last, step));
    stdpar::combine_all(sums, last - first < step ? last - first : step, operation);
    if (own == 0)
      ::new (static_cast<void *>(result)) Type(sums[0]);
  }
};

// The elements of scratch memory.
template <class Type> struct kept_values {
  const Type *values;
  Type operator()(std::size_t index) const { return values[index]; }
};

// By groups of `size` work-items: the last one combines the results of the others.
template <class Fold, class Type, class Value, class Operation>
inline bool reduce_in_groups(std::uint32_t size, Type *result, std::size_t elements, const Value &value,
                             const Operation &operation) {
  using parts_of_all = reduce_kernel<Fold, Type, Value, Operation>;
  using whole = reduce_kernel<ordered_fold, Type, kept_values<Type>, Operation>;
  if (!stdpar::are_kept<parts_of_all, whole>())
    return false;
  const tiles parts(elements, most_group_tiles, smallest_tile);
  const scratch<Type> sums(parts.count());
  const scratch<Type> sum(1, true);
  const bool is_one = parts.count() == 1;
  const parts_of_all first{value, operation, parts, is_one ? sum.get() : sums.get()};
  const shape all = stdpar::groups_of(parts.count(), size, sizeof(Type));
  if (is_one ? !stdpar::run(first, all) : !stdpar::start(first, all))
    return false;
  const whole last{{sums.get()}, operation, tiles(parts.count(), 1, 1), sum.get()};
  if (!is_one && !stdpar::run(last, stdpar::groups_of(1, size, sizeof(Type))))
    return false;
  ::new (static_cast<void *>(result)) Type(*sum.get());
  return true;
}

template <class Fold, class Type, class Value, class Operation>
inline bool reduce_once(Type *result, std::size_t size, const Value &value, const Operation &operation) {
  using kernel = reduce_kernel<Fold, Type, Value, Operation>;
  if (const std::uint32_t group = stdpar::group_size_for<sizeof(Type)>(); group != 1)
    return stdpar::reduce_in_groups<Fold>(group, result, size, value, operation);
  const tiles parts(size);
  const scratch<Type> results(parts.count());
  if (!stdpar::run(kernel{value, operation, parts, results.get()}, stdpar::groups_of(parts.count(), 1, 0)))
    return false;
  ::new (static_cast<void *>(result)) Type(results.get()[0]);
  for (std::size_t tile = 1; tile != parts.count(); ++tile)
    *result = operation(*result, results.get()[tile]);
  return true;
}

// Stores the combination of all values, of which there is one at least, in `result`, which has no
// object yet.
template <class Fold, class Type, class Value, class Operation>
inline bool reduce_into(Type *result, std::size_t size, const Value &value, const Operation &operation) {
  return stdpar::shaped([&] { return stdpar::reduce_once<Fold>(result, size, value, operation); });
}

// Memory for one object, which is not destroyed.
template <class Type> struct room {
  alignas(Type) unsigned char bytes[sizeof(Type)];
  Type *get() noexcept { return reinterpret_cast<Type *>(bytes); }
  const Type *get() const noexcept { return reinterpret_cast<const Type *>(bytes); }
};

} // namespace sinter::stdpar

#endif
