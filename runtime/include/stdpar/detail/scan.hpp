// The primitive of prefix sums.
//
// In: a function that gives the value of an index, a function that stores the sum at an index, and
// an associative operation. Out: the sums of all prefixes. On a CPU values are asked for twice
// where the range has several parts. A sum is stored once, after its value is asked for the last
// time.
#ifndef SINTER_STDPAR_SCAN_HPP
#define SINTER_STDPAR_SCAN_HPP

#include "scan_in_groups.hpp"

namespace sinter::stdpar {

template <bool Inclusive, class Type, class Value, class Store, class Operation> struct scan_kernel {
  Value value;
  Store store;
  Operation operation;
  tiles parts;
  // The sum of what precedes each part.
  const Type *before;
  // False if nothing precedes the first part.
  bool has_first;

  void run() const {
    const std::size_t tile = item_index();
    std::size_t index = parts.first(tile);
    const std::size_t last = parts.last(tile);
    if constexpr (Inclusive) {
      Type sum = tile != 0 || has_first ? static_cast<Type>(operation(before[tile], value(index)))
                                        : static_cast<Type>(value(index));
      store(index, sum);
      for (++index; index != last; ++index) {
        sum = operation(sum, value(index));
        store(index, sum);
      }
    } else {
      Type sum = before[tile];
      for (; index != last; ++index) {
        const Type next = operation(sum, value(index));
        store(index, sum);
        sum = next;
      }
    }
  }
};

template <bool Inclusive, class Type, class Value, class Store, class Operation>
inline bool scan_once(std::size_t size, const Type *first, const Value &value, const Store &store,
                       const Operation &operation) {
  using fold_of_part = std::conditional_t<is_commutative_v<Operation>, fold, ordered_fold>;
  using sums = reduce_kernel<fold_of_part, Type, Value, Operation>;
  using prefixes = scan_kernel<Inclusive, Type, Value, Store, Operation>;
  if (const std::uint32_t group = stdpar::group_size_for<scan_bytes<Type>>(); group != 1)
    return stdpar::scan_in_groups<Inclusive, Type>(group, size, first, value, store, operation);
  if (!stdpar::are_kept<sums, prefixes>())
    return false;
  const tiles parts(size);
  const scratch<Type> before(parts.count() + 1);
  Type *const sum = before.get();
  // Part i stores its sum where part i + 1 finds what precedes it.
  if (parts.count() > 1 &&
      !stdpar::run(sums{value, operation, parts, sum + 1}, stdpar::groups_of(parts.count() - 1, 1, 0)))
    return false;
  if (first != nullptr)
    ::new (static_cast<void *>(sum)) Type(*first);
  for (std::size_t tile = first != nullptr ? 1 : 2; tile < parts.count(); ++tile)
    sum[tile] = operation(sum[tile - 1], sum[tile]);
  return stdpar::run(prefixes{value, store, operation, parts, sum, first != nullptr},
                     stdpar::groups_of(parts.count(), 1, 0));
}

// `first` is null if nothing precedes the values, of which there is one at least.
template <bool Inclusive, class Type, class Value, class Store, class Operation>
inline bool scan_range(std::size_t size, const Type *first, const Value &value, const Store &store,
                       const Operation &operation) {
  return stdpar::shaped([&] { return stdpar::scan_once<Inclusive, Type>(size, first, value, store, operation); });
}

} // namespace sinter::stdpar

#endif
