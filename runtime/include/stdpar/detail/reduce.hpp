// The primitive of algorithms that combine all elements into one value.
//
// In: at least one index, a function that gives the value of an index, and an associative
// operation. Out: the combination. The order of operations depends on the number of elements alone;
// `ordered_fold` keeps the order of the operands too.
#ifndef SINTER_STDPAR_REDUCE_HPP
#define SINTER_STDPAR_REDUCE_HPP

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

template <class Fold, class Type, class Value, class Operation> struct reduce_kernel {
  Value value;
  Operation operation;
  tiles parts;
  Type *results;

  void run() const {
    const std::size_t tile = tile_index();
    ::new (static_cast<void *>(results + tile))
        Type(Fold::template of<Type>(value, operation, parts.first(tile), parts.last(tile)));
  }
};

// Stores the combination of all values, of which there is one at least, in `result`, which has no
// object yet.
template <class Fold, class Type, class Value, class Operation>
inline bool reduce_into(Type *result, std::size_t size, const Value &value, const Operation &operation) {
  using kernel = reduce_kernel<Fold, Type, Value, Operation>;
  const tiles parts(size);
  const scratch<Type> results(parts.count());
  if (!stdpar::launch_tiles(kernel{value, operation, parts, results.get()}, parts.count()))
    return false;
  ::new (static_cast<void *>(result)) Type(results.get()[0]);
  for (std::size_t tile = 1; tile != parts.count(); ++tile)
    *result = operation(*result, results.get()[tile]);
  return true;
}

// Memory for one object, which is not destroyed.
template <class Type> struct room {
  alignas(Type) unsigned char bytes[sizeof(Type)];
  Type *get() noexcept { return reinterpret_cast<Type *>(bytes); }
};

} // namespace sinter::stdpar

#endif
