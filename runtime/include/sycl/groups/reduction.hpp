// reduction: variables into which the work-items of a kernel combine values.
//
// Each work-item combines into its own reducer. The reducers of a work-group are combined in the
// order of linear IDs; the leader of each group writes the result to a record, and the last group
// to finish combines the records in group order: on a CPU its leader does, elsewhere each of its
// work-items takes a run of them. So the result does not depend on when groups run: with the same
// device and sizes it is the same each time, also for floating-point numbers. Records and their
// counter lie in scratch memory of the queue, which the host never touches. Without an identity a
// reducer records if it has a value.
#ifndef SYCL_REDUCTION_HPP
#define SYCL_REDUCTION_HPP

#include "../detail/atomics.hpp"
#include "../detail/partial.hpp"
#include "../detail/range_division.hpp"
#include "../detail/sizes.hpp"
#include "group_algorithms.hpp"
#include "../math/integer.hpp"
#include "../runtime/kernel.hpp"
#include "../types/span.hpp"

namespace sycl {
namespace detail {

// The identity, if there is one.
template <class Type, bool Identity> struct reduction_start {
  Type identity;
};
template <class Type> struct reduction_start<Type, false> {};

// The result of `reduction`, which the kernel captures: `Count` consecutive variables, 0 for a
// single one.
template <class Type, class Operation, std::size_t Count, bool Identity>
struct reduction_variable : reduction_start<Type, Identity> {
  using value_type = Type;
  using operation = Operation;
  using partial_type = partial<Type, Operation, Identity>;
  static constexpr std::size_t count = Count, elements = Count == 0 ? 1 : Count;
  static constexpr bool has_identity = Identity;

  Type *variable;
  // The initial value, with which the work-items' result is combined: the variable's own value, or
  // null for the identity, which a launch replaces by an address in the scratch memory. That saves
  // the kernel a branch.
  const Type *before;
  Operation combine;

  reduction_variable(Type *first, const Operation &op, bool replace, const reduction_start<Type, Identity> &start)
      : reduction_start<Type, Identity>(start), variable(first), before(replace ? nullptr : first), combine(op) {}
  partial_type start() const {
    if constexpr (Identity)
      return partial_type(this->identity);
    else
      return partial_type();
  }
};

template <class Type> inline constexpr bool is_reduction = false;
template <class Type, class Operation, std::size_t Count, bool Identity>
inline constexpr bool is_reduction<reduction_variable<Type, Operation, Count, Identity>> = true;

template <class Type, std::size_t Count, class Operation>
inline auto make_reduction(Type *first, const Operation &combine, const property_list &properties) {
  constexpr bool known = has_known_identity_v<Operation, Type>;
  const bool replace = properties.has_property<property::reduction::initialize_to_identity>();
  if constexpr (known) {
    return reduction_variable<Type, Operation, Count, true>(first, combine, replace,
                                                            {known_identity_v<Operation, Type>});
  } else {
    if (replace)
      raise(errc::invalid, "initialize_to_identity needs an identity, which is not known for the operation: pass it to "
                           "sycl::reduction");
    return reduction_variable<Type, Operation, Count, false>(first, combine, false, {});
  }
}
template <class Type, std::size_t Count, class Operation>
inline auto make_reduction(Type *first, const Type &identity, const Operation &combine,
                           const property_list &properties) {
  const bool replace = properties.has_property<property::reduction::initialize_to_identity>();
  return reduction_variable<Type, Operation, Count, true>(first, combine, replace, {identity});
}

template <class Operation>
using if_combiner = enable_if<!std::is_same_v<Operation, property_list> && !is_property_v<Operation>>;

// Operators of a reducer; `Self` has `combine`.
template <class Self, class Type, class Operation> class reducer_operators {
#define SINTER_REDUCER_OPERATOR(symbol, number, condition)                                                           \
public:                                                                                                              \
  template <class Operator = Operation, enable_if<is_operation<Operator, Type, number> && (condition)> = 0>          \
  Self &operator symbol(const Type &x) {                                                                             \
    return static_cast<Self &>(*this).combine(x);                                                                    \
  }
  SINTER_REDUCER_OPERATOR(+=, operation<plus<>>::number, true)
  SINTER_REDUCER_OPERATOR(*=, operation<multiplies<>>::number, true)
  SINTER_REDUCER_OPERATOR(&=, operation<bit_and<>>::number, std::is_integral_v<Type>)
  SINTER_REDUCER_OPERATOR(|=, operation<bit_or<>>::number, std::is_integral_v<Type>)
  SINTER_REDUCER_OPERATOR(^=, operation<bit_xor<>>::number, std::is_integral_v<Type>)
#undef SINTER_REDUCER_OPERATOR
  template <class Operator = Operation,
            enable_if<is_operation<Operator, Type, operation<plus<>>::number> && is_integer<Type>> = 0>
  Self &operator++() {
    return static_cast<Self &>(*this).combine(Type(1));
  }
  template <class Operator = Operation,
            enable_if<is_operation<Operator, Type, operation<plus<>>::number> && is_integer<Type>> = 0>
  void operator++(int) {
    static_cast<Self &>(*this).combine(Type(1));
  }
};

} // namespace detail

// A work-item's share of a single variable (Dimensions 0) or of an array of them (Dimensions 1).
template <class Type, class Operation, int Dimensions, class Variable> class reducer;

template <class Type, class Operation, class Variable>
class reducer<Type, Operation, 0, Variable>
    : public detail::reducer_operators<reducer<Type, Operation, 0, Variable>, Type, Operation> {
public:
  using value_type = Type;
  using binary_operation = Operation;
  static constexpr int dimensions = 0;

  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  reducer &combine(const Type &x) {
    parts[0].add(x, variable.combine);
    return *this;
  }
  template <class Own = Variable, detail::enable_if<Own::has_identity> = 0> Type identity() const {
    return variable.identity;
  }

  explicit reducer(const Variable &reduced) : variable(reduced), parts{reduced.start()} {}
  const Variable &variable;
  typename Variable::partial_type parts[1];
};

template <class Type, class Operation, class Variable> class reducer<Type, Operation, 1, Variable> {
public:
  using value_type = Type;
  using binary_operation = Operation;
  static constexpr int dimensions = 1;

  // One variable of the array.
  class element : public detail::reducer_operators<element, Type, Operation> {
  public:
    using value_type = Type;
    using binary_operation = Operation;
    static constexpr int dimensions = 0;

    element(const element &) = delete;
    element &operator=(const element &) = delete;
    element &combine(const Type &x) {
      part.add(x, variable.combine);
      return *this;
    }
    template <class Own = Variable, detail::enable_if<Own::has_identity> = 0> Type identity() const {
      return variable.identity;
    }

  private:
    friend reducer;
    element(const Variable &reduced, typename Variable::partial_type &own) : variable(reduced), part(own) {}
    const Variable &variable;
    typename Variable::partial_type &part;
  };

  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  element operator[](std::size_t index) { return element(variable, parts[index]); }
  template <class Own = Variable, detail::enable_if<Own::has_identity> = 0> Type identity() const {
    return variable.identity;
  }

  explicit reducer(const Variable &reduced) : variable(reduced) {
    for (auto &part : parts)
      part = reduced.start();
  }
  const Variable &variable;
  typename Variable::partial_type parts[Variable::elements];
};

template <class Type, class Operation, detail::if_combiner<Operation> = 0>
auto reduction(Type *variable, Operation combine, const property_list &properties = {}) {
  return detail::make_reduction<Type, 0>(variable, combine, properties);
}
template <class Type, class Operation, detail::if_combiner<Operation> = 0>
auto reduction(Type *variable, const detail::no_deduction<Type> &identity, Operation combine,
               const property_list &properties = {}) {
  return detail::make_reduction<Type, 0>(variable, identity, combine, properties);
}
template <class Type, std::size_t Extent, class Operation, detail::if_combiner<Operation> = 0>
auto reduction(span<Type, Extent> variables, Operation combine, const property_list &properties = {}) {
  static_assert(Extent != dynamic_extent, "the number of variables must be part of the span's type");
  return detail::make_reduction<Type, Extent>(variables.data(), combine, properties);
}
template <class Type, std::size_t Extent, class Operation, detail::if_combiner<Operation> = 0>
auto reduction(span<Type, Extent> variables, const detail::no_deduction<Type> &identity, Operation combine,
               const property_list &properties = {}) {
  static_assert(Extent != dynamic_extent, "the number of variables must be part of the span's type");
  return detail::make_reduction<Type, Extent>(variables.data(), identity, combine, properties);
}

namespace detail {

// Objects of several types, like std::tuple with the layout of a struct.
template <class... Types> struct row {};
template <class First, class... Rest> struct row<First, Rest...> {
  First first;
  row<Rest...> rest;
};

// Splits the arguments into the last one and the others.
template <class Callable> inline row<> all_but_last(const Callable &) { return {}; }
template <class First, class... Rest> inline auto all_but_last(const First &first, const Rest &...rest) {
  return join(first, all_but_last(rest...));
}
template <class First, class... Rest> inline row<First, Rest...> join(const First &first, const row<Rest...> &rest) {
  return {first, rest};
}
template <class Callable> inline const Callable &last_of(const Callable &last) noexcept { return last; }
template <class First, class Second, class... Rest>
inline const auto &last_of(const First &, const Second &second, const Rest &...rest) noexcept {
  return last_of(second, rest...);
}

template <class Variable>
using reducer_of = reducer<typename Variable::value_type, typename Variable::operation, Variable::count != 0, Variable>;

// A work-group's results, in the order of the variables.
template <class Variable> struct record_of {
  typename Variable::partial_type parts[Variable::elements];
};

inline row<> reducers_for(const row<> &) { return {}; }
template <class First, class... Rest>
inline row<reducer_of<First>, reducer_of<Rest>...> reducers_for(const row<First, Rest...> &variables) {
  return {reducer_of<First>(variables.first), reducers_for(variables.rest)};
}

// Calls the kernel function with the index and a reference to each reducer.
template <class Callable, class Index, class... Reducers>
inline void call_with(const Callable &function, const Index &index, row<> &, Reducers &...reducers) {
  invoke(function, index, reducers...);
}
template <class Callable, class Index, class First, class... Rest, class... Reducers>
inline void call_with(const Callable &function, const Index &index, row<First, Rest...> &left, Reducers &...reducers) {
  call_with(function, index, left.rest, reducers..., left.first);
}

// Combines the partial results of a group's work-items; the leader gets the result. If the device
// has no instruction for the operation, a tree does it: after the step with distance d, an item has
// the results of 2 d items from its own on.
template <class Group, class Variable>
inline typename Variable::partial_type in_group(const Group &g, typename Variable::partial_type mine,
                                                const Variable &variable) {
  using Type = typename Variable::value_type;
  using known = operation<typename Variable::operation>;
  if constexpr (Variable::has_identity && known::number >= 0 && is_number<Type> &&
                is_operation<typename Variable::operation, Type, known::number>) {
    mine.value = reduce<Group, Type, typename Variable::operation>(mine.value);
  } else {
    const std::size_t self = g.get_local_linear_id(), count = g.get_local_linear_range();
    for (std::size_t distance = 1; distance < count; distance *= 2) {
      const auto other = shift_group_left(g, mine, distance);
      if (self + distance < count)
        mine.merge(other, variable.combine);
    }
  }
  return mine;
}

template <bool Alone, class Group> inline void collect(const Group &, row<> &, row<> &) {}
template <bool Alone, class Group, class Reducer, class... Reducers, class Record, class... Records>
inline void collect(const Group &g, row<Reducer, Reducers...> &from, row<Record, Records...> &to) {
  for (std::size_t i = 0; i < sizeof(to.first.parts) / sizeof(to.first.parts[0]); ++i) {
    if constexpr (Alone)
      to.first.parts[i] = from.first.parts[i];
    else
      to.first.parts[i] = in_group(g, from.first.parts[i], from.first.variable);
  }
  collect<Alone>(g, from.rest, to.rest);
}

// Writes the identities, which may be the initial value of a variable.
inline void reset(row<> &, const row<> &) {}
template <class Record, class... Records, class Variable, class... Variables>
inline void reset(row<Record, Records...> &to, const row<Variable, Variables...> &variables) {
  for (std::size_t i = 0; i < Variable::elements; ++i)
    to.first.parts[i] = variables.first.start();
  reset(to.rest, variables.rest);
}

// Sets the initial value of variables that start from the identity.
inline void place(row<> &, const row<> &) {}
template <class Record, class... Records, class Variable, class... Variables>
inline void place(row<Variable, Variables...> &variables, const row<Record, Records...> &identities) {
  if (!variables.first.before)
    variables.first.before = &identities.first.parts[0].value;
  place(variables.rest, identities.rest);
}

inline void merge(row<> &, const row<> &, const row<> &) {}
template <class Record, class... Records, class Variable, class... Variables>
inline void merge(row<Record, Records...> &into, const row<Record, Records...> &other,
                  const row<Variable, Variables...> &variables) {
  for (std::size_t i = 0; i < Variable::elements; ++i)
    into.first.parts[i].merge(other.first.parts[i], variables.first.combine);
  merge(into.rest, other.rest, variables.rest);
}

// Combines the results of a group's work-items for the records; the leader gets the result.
template <class Group> inline void collect_records(const Group &, row<> &, const row<> &) {}
template <class Group, class Record, class... Records, class Variable, class... Variables>
inline void collect_records(const Group &g, row<Record, Records...> &mine, const row<Variable, Variables...> &variables) {
  for (std::size_t i = 0; i < Variable::elements; ++i)
    mine.first.parts[i] = in_group(g, mine.first.parts[i], variables.first);
  collect_records(g, mine.rest, variables.rest);
}

inline void store(const row<> &, const row<> &) {}
template <class Record, class... Records, class Variable, class... Variables>
inline void store(const row<Record, Records...> &records, const row<Variable, Variables...> &variables) {
  const Variable &to = variables.first;
  for (std::size_t i = 0; i < Variable::elements; ++i) {
    const auto &total = records.first.parts[i];
    if (total.any())
      to.variable[i] = static_cast<typename Variable::value_type>(to.combine(to.before[i], total.value));
  }
  store(records.rest, variables.rest);
}

// Layout of a queue's scratch memory for a reduction: a counter, a record for each group, and the
// identities.
template <class Record> struct reduction_scratch {
  static constexpr std::size_t header = 64;
  static_assert(alignof(Record) <= header, "the type of a reduction is aligned to 64 bytes at most");

  unsigned char *memory;

  static std::size_t size(std::size_t groups) {
    const char *what = "the memory of a reduction";
    const std::size_t records = product(errc::memory_allocation, what, groups + 1, sizeof(Record));
    return sum(errc::memory_allocation, what, records, header);
  }
  std::uint32_t *finished() const { return reinterpret_cast<std::uint32_t *>(memory); }
  Record *records() const { return reinterpret_cast<Record *>(memory + header); }
};

// Base of all kernels with reductions.
template <class Variables> struct reducing;
template <class... Variables> struct reducing<row<Variables...>> {
  using record = row<record_of<Variables>...>;

  row<Variables...> variables;
  reduction_scratch<record> scratch;

  // If the work-group is Alone, that is one work-item, there is nothing to synchronise.
  template <bool Alone, class Group, class Reducers> void finish(const Group &g, Reducers &reducers) const {
    record total;
    collect<Alone>(g, reducers, total);
    if (__acpp_sscp_jit_reflect_target_is_cpu()) {
      if (g.leader() && write(g, total)) {
        combine(total, 0, g.get_group_linear_range());
        store(total, variables);
      }
    } else {
      const bool last = value_of<Group>(g.leader() && write(g, total), 0);
      if (last)
        share(g, total);
    }
  }

private:
  // Writes a group's record. Returns true for the last group.
  template <class Group> bool write(const Group &g, const record &total) const {
    const std::size_t groups = g.get_group_linear_range();
    record *records = scratch.records();
    records[g.get_group_linear_id()] = total;
    const atomic_mode mode(access::address_space::global_space, memory_order::acq_rel, memory_scope::device);
    if (atomic_fetch_add(mode, scratch.finished(), 1u) + 1 != groups)
      return false;
    *scratch.finished() = 0;
    reset(records[groups], variables);
    return true;
  }

  // Combines the records from `first` to `last`, after the identities.
  void combine(record &total, std::size_t first, std::size_t last) const {
    const record *records = scratch.records();
    reset(total, variables);
    // Few iterations, not worth the code size of a faster loop.
#pragma clang loop vectorize(disable) unroll(disable)
    for (std::size_t i = first; i < last; ++i)
      merge(total, records[i], variables);
  }

  // Each work-item of the group combines a run of the records; then the group combines the results.
  template <class Group> void share(const Group &g, record &total) const {
    const std::size_t groups = g.get_group_linear_range(), items = g.get_local_linear_range();
    const std::size_t run = (groups + items - 1) / items, start = g.get_local_linear_id() * run;
    const std::size_t first = start < groups ? start : groups;
    combine(total, first, first + run < groups ? first + run : groups);
    collect_records(g, total, variables);
    if (g.leader())
      store(total, variables);
  }
};

// The index `step` items after `index` in row-major order in `size`.
template <int Dimensions>
inline void advance(id<Dimensions> &index, const range<Dimensions> &size, std::size_t step) noexcept {
  for (int d = Dimensions - 1; d > 0; --d) {
    index[d] += step;
    if (index[d] < size[d])
      return;
    step = index[d] / size[d];
    index[d] %= size[d];
  }
  index[0] += step;
}

// True if several reducers per variable are cheap: there is an identity, and no array of variables.
template <class Variables> inline constexpr bool is_plain = false;
template <class... Variables>
inline constexpr bool is_plain<row<Variables...>> = ((Variables::has_identity && Variables::count == 0) && ...);
// True if rounding keeps the compiler from splitting a sum into several, so that each step depends
// on the previous one.
template <class Variables> inline constexpr bool is_chained = false;
template <class... Variables>
inline constexpr bool is_chained<row<Variables...>> =
    (... || (std::is_floating_point_v<typename Variables::value_type> ||
             is_short_float<typename Variables::value_type>));

inline void absorb(row<> &, const row<> &) {}
template <class Reducer, class... Reducers>
inline void absorb(row<Reducer, Reducers...> &into, const row<Reducer, Reducers...> &other) {
  into.first.parts[0].merge(other.first.parts[0], into.first.variable.combine);
  absorb(into.rest, other.rest);
}

// Each work-group of a CPU, and of a GPU if an index has several dimensions, takes a run of `chunk`
// indices, at which its work-items take turns.
template <class Name, int Dimensions, class Variables, class Callable>
struct range_reduction_kernel : reducing<Variables> {
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;
  range<Dimensions> size;
  std::size_t chunk;

  range_reduction_kernel(const reducing<Variables> &base, const Callable &f, const range<Dimensions> &n,
                         std::size_t run)
      : reducing<Variables>(base), function(f), size(n), chunk(run) {}

  void run() const {
    const group<1> own = maker::make<group<1>>(nullptr);
    auto reducers = reducers_for(this->variables);
    if (__acpp_sscp_jit_reflect_target_is_cpu()) {
      take_chunk(own, reducers);
      this->template finish<true>(own, reducers);
    } else {
      if constexpr (Dimensions == 1 && is_plain<Variables>)
        take_tiles(own, reducers);
      else
        take_chunk(own, reducers);
      this->template finish<false>(own, reducers);
    }
  }

private:
  template <class Reducers> void call_at(const id<Dimensions> &index, Reducers &reducers) const {
    call_with(function, maker::make<item<Dimensions, false>>(index, size), reducers);
  }

  template <class Reducers> void take_chunk(const group<1> &own, Reducers &reducers) const {
    const std::size_t first = own.get_group_linear_id() * chunk, left = size.size() - first;
    const std::size_t end = left < chunk ? left : chunk, step = own.get_local_linear_range();
    std::size_t i = own.get_local_linear_id();
    if constexpr (Dimensions == 1 && is_plain<Variables> && is_chained<Variables>) // a CPU waits
      i = take_turns(first, i, end, step, reducers);
    // An empty run has no start index.
    if (i < end) {
      id<Dimensions> index;
      advance(index, size, first + i);
      for (; i < end; i += step, advance(index, size, step))
        call_at(index, reducers);
    }
  }

  // Hides memory latency on a GPU: work-items have four loads in flight, and groups read adjacent
  // tiles: each takes a tile of four indices per item, then the one as many tiles ahead as there
  // are groups. A single reducer saves registers.
  template <class Reducers> void take_tiles(const group<1> &own, Reducers &reducers) const {
    const std::size_t step = own.get_local_linear_range(), end = size.size();
    std::size_t i = own.get_group_linear_id() * 4 * step + own.get_local_linear_id();
#pragma clang loop unroll(disable)
    for (; i + 3 * step < end; i += own.get_group_linear_range() * 4 * step) {
      call_at(i, reducers);
      call_at(i + step, reducers);
      call_at(i + 2 * step, reducers);
      call_at(i + 3 * step, reducers);
    }
#pragma clang loop unroll(disable)
    for (; i < end; i += step)
      call_at(i, reducers);
  }

  // Four reducers take turns at the indices `i`, `i + step` and so on after `first`. Returns the
  // next index.
  template <class Reducers>
  std::size_t take_turns(std::size_t first, std::size_t i, std::size_t end, std::size_t step,
                         Reducers &reducers) const {
    auto second = reducers_for(this->variables), third = reducers_for(this->variables),
         fourth = reducers_for(this->variables);
#pragma clang loop unroll(disable)
    for (; i + 3 * step < end; i += 4 * step) {
      call_at(first + i, reducers);
      call_at(first + i + step, second);
      call_at(first + i + 2 * step, third);
      call_at(first + i + 3 * step, fourth);
    }
    absorb(reducers, second);
    absorb(third, fourth);
    absorb(reducers, third);
#pragma clang loop vectorize(disable) unroll(disable)
    for (; i < end; i += step)
      call_at(first + i, reducers);
    return i;
  }
};

template <class Name, int Dimensions, class Variables, class Callable>
struct nd_range_reduction_kernel : reducing<Variables> {
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;
  bool empty; // launched only for the variables

  nd_range_reduction_kernel(const reducing<Variables> &base, const Callable &f, bool none)
      : reducing<Variables>(base), function(f), empty(none) {}

  void run() const {
    auto reducers = reducers_for(this->variables);
    if (!empty)
      call_with(function, maker::make<nd_item<Dimensions>>(nullptr), reducers);
    this->template finish<false>(maker::make<group<Dimensions>>(nullptr), reducers);
  }
};

template <class Variables>
inline reducing<Variables> reducing_with(queue_state &queue, const Variables &variables, std::size_t groups) {
  using scratch = reduction_scratch<typename reducing<Variables>::record>;
  const scratch memory = {static_cast<unsigned char *>(queue.scratch(scratch::size(groups)))};
  reducing<Variables> result{variables, memory};
  place(result.variables, memory.records()[groups]);
  return result;
}

template <class Name, class Variables, int Dimensions, class Callable>
inline auto reduction_kernel(queue_state &queue, sinter_launch &launch, const Variables &variables,
                             const range<Dimensions> &size, const Callable &function) {
  const range_division division(queue.target, product(errc::nd_range, "a range", size));
  launch = launch_of(nd_range<1>(division.groups * division.items, division.items));
  return range_reduction_kernel<Name, Dimensions, Variables, Callable>(reducing_with(queue, variables, division.groups),
                                                                function, size, division.chunk);
}

// A non-zero divisor. A work-group size of 0 is rejected by the launch.
template <int Dimensions> constexpr range<Dimensions> at_least_one(range<Dimensions> size) noexcept {
  for (int d = 0; d < Dimensions; ++d)
    size[d] = size[d] == 0 ? 1 : size[d];
  return size;
}

template <class Name, class Variables, int Dimensions, class Callable>
inline auto reduction_kernel(queue_state &queue, sinter_launch &launch, const Variables &variables,
                             const nd_range<Dimensions> &size, const Callable &function) {
  const bool empty = product(errc::nd_range, "a range", size.get_global_range()) == 0;
  const range<Dimensions> items = at_least_one(size.get_local_range());
  launch = launch_of(nd_range<Dimensions>(empty ? items : size.get_global_range(), size.get_local_range()));
  const std::size_t groups = empty ? 1 : (size.get_global_range() / items).size(); // <= items
  if (groups > UINT32_MAX)
    raise(errc::nd_range, "a reduction takes at most 4294967295 work-groups");
  return nd_range_reduction_kernel<Name, Dimensions, Variables, Callable>(reducing_with(queue, variables, groups),
                                                                          function, empty);
}

} // namespace detail
} // namespace sycl

#endif
