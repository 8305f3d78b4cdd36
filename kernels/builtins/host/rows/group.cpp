// The part of a row in the collectives of a work-group (../group.cpp).
//
// The rows of a group run one after another from one barrier to the next, in the order of linear
// IDs. So each goes on where the one before it has stopped, and one barrier is enough.
//
// The order in which floating-point values are combined depends on the size of the group alone, not
// on the lanes of a row, so that no choice of rows changes a result. A sum or product has 16 parts,
// each of the items whose linear IDs differ by multiples of 16, in order; a tree joins the parts. A
// scan, and with it a minimum or maximum, has a tree for each 8 items that follow each other; these
// are combined in order. Integers have the same result in any order.
#include "row.hpp"

#define LOCAL __attribute__((address_space(3)))

// Answered by the translator. True if each row begins at a multiple of its lanes, in linear IDs;
// then only the last one may have fewer work-items.
extern "C" __attribute__((const)) bool __sinter_row_is_aligned();
// True if each row has all lanes.
extern "C" __attribute__((const)) bool __sinter_row_is_full();

namespace {

using row::lanes;

// Items of a tree of a scan.
constexpr u32 block = 8;
// Parts of a sum.
constexpr u32 parts = 16;

// Memory of the group: the result for all items, the scan up to the last block, that up to the last
// row, and for each power of two below a block the first half of twice as many items.
template <class T> struct memory {
  LOCAL u64 *words;
  INLINED LOCAL T *total() const { return (LOCAL T *)words; }
  INLINED LOCAL T *carry() const { return (LOCAL T *)(words + 1); }
  INLINED LOCAL T *before() const { return (LOCAL T *)(words + 2); }
  INLINED LOCAL T *half(u32 items) const { return (LOCAL T *)(words + 3 + __builtin_ctz(items)); }
};

// The last lane that has an item.
INLINED u32 last_lane() {
  return lanes == 1 || __sinter_row_is_full() ? lanes - 1 : 63 - (u32)__builtin_clzll(row::ballot(true));
}

// A row of the group: the linear ID of its first item, and the items of the group.
struct place {
  u64 start, count;
  INLINED place(u64 id, u64 all) : start(row::read(id, 0)), count(all) {}
  // True for the last row of the group. No other may write the result: rows behind it have yet to
  // read that of the collective before.
  INLINED bool is_last() const { return start + (__sinter_row_is_aligned() ? lanes - 1 : last_lane()) + 1 >= count; }
};

// True if a value combined with itself stays as it is.
INLINED bool is_idempotent(operation op) {
  return op != operation::plus && op != operation::multiply && op < operation::bit_xor;
}

// Combines each value with those before it among the `Items` that begin at a multiple of that. A
// select of the minimum or the value is several instructions, so lanes without another value take
// their own where that changes nothing.
template <u32 Items, class T> INLINED T prefix(operation op, T x) {
  u32 self = row::lane();
#pragma unroll
  for (u32 step = 1; step < Items; step *= 2) {
    bool is_second = self & step;
    u32 first = (self & ~(2 * step - 1)) + step - 1;
    T both = combine(op, row::read(x, is_second || !is_idempotent(op) ? first : self), x);
    x = is_second || is_idempotent(op) ? both : x;
  }
  return x;
}

// The inclusive scan, and the scan up to the row.
template <class T> struct scanned {
  T here, before;
};

// The last of `items` lanes, or of those that have items.
template <u32 Items, class T> INLINED T last(T x) { return Items == 1 ? x : row::read(x, last_lane()); }

// Rows narrower than a block: `own` is the scan of `Items` that begin at `start`, all lanes or one
// item that all lanes look at.
template <u32 Items, class T> INLINED scanned<T> go_on(operation op, T own, u64 start, memory<T> kept) {
#pragma unroll
  for (u32 half = Items; half < block; half *= 2) {
    bool is_second = start & half;
    T both = combine(op, *kept.half(half), own);
    if (!is_second)
      *kept.half(half) = last<Items>(own);
    own = is_second ? both : own;
  }
  scanned<T> result = {start < block ? own : combine(op, *kept.carry(), own), *kept.before()};
  T through = last<Items>(result.here);
  *kept.before() = through;
  if (start % block == block - Items)
    *kept.carry() = through;
  return result;
}

// Rows of one or more blocks of `Items`, each of which goes on where the one before it ends.
template <u32 Items, class T> INLINED scanned<T> by_blocks(operation op, T own, u64 start, memory<T> kept) {
  T carry = *kept.carry(), carries = carry, before = carry;
#pragma unroll
  for (u32 first = 0; first < lanes; first += Items) {
    carries = row::lane() >= first ? carry : carries;
    T sum = row::read(own, Items == lanes ? last_lane() : first + Items - 1);
    carry = first == 0 && start == 0 ? sum : combine(op, carry, sum);
  }
  *kept.carry() = carry;
  bool begins = start == 0 && (Items == lanes || row::lane() < Items);
  return {begins ? own : combine(op, carries, own), before};
}

// Item by item, where rows do not begin at multiples of their lanes.
template <class T> INLINED scanned<T> one_by_one(operation op, T x, u64 start, memory<T> kept) {
  scanned<T> result = {x, x};
  for (u32 lane = 0, end = last_lane(); lane <= end; ++lane) {
    scanned<T> one = go_on<1>(op, row::read(x, lane), start + lane, kept);
    result.here = row::lane() == lane ? one.here : result.here;
    result.before = lane == 0 ? one.before : result.before;
  }
  return result;
}

template <class T> INLINED scanned<T> scan(operation op, T x, place at, memory<T> kept) {
  scanned<T> result;
  if constexpr (!is_float<T>)
    result = by_blocks<lanes>(op, prefix<lanes>(op, x), at.start, kept);
  else if (!__sinter_row_is_aligned())
    result = one_by_one(op, x, at.start, kept);
  else if constexpr (lanes < block)
    result = go_on<lanes>(op, prefix<lanes>(op, x), at.start, kept);
  else
    result = by_blocks<block>(op, prefix<block>(op, x), at.start, kept);
  if (at.is_last())
    *kept.total() = row::read(result.here, last_lane());
  return result;
}

// Joins the parts of a sum by a tree; a small group does not have all of them.
template <class T> INLINED T joined(operation op, LOCAL T *sums, u32 count) {
  T values[parts];
#pragma unroll
  for (u32 i = 0; i < parts; ++i)
    values[i] = sums[i];
#pragma unroll
  for (u32 step = parts / 2; step > 0; step /= 2)
#pragma unroll
    for (u32 i = 0; i < step; ++i)
      values[i] = i + step < count ? combine(op, values[i], values[i + step]) : values[i];
  return values[0];
}

// The same by all lanes.
template <class T> INLINED T joined_by_lanes(operation op, LOCAL T *sums, u32 count) {
  constexpr u32 width = lanes < parts ? lanes : parts;
  u32 self = row::lane();
  T values[parts / width];
#pragma unroll
  for (u32 i = 0; i < parts / width; ++i)
    values[i] = lanes <= parts || self < parts ? sums[i * width + self] : (T)0;
#pragma unroll
  for (u32 step = parts / 2; step >= width; step /= 2)
#pragma unroll
    for (u32 i = 0; i < step / width; ++i)
      values[i] = i * width + step < count ? combine(op, values[i], values[i + step / width]) : values[i];
#pragma unroll
  for (u32 step = width / 2; step > 0; step /= 2)
    values[0] = combine(op, values[0], row::read(values[0], self ^ step));
  return row::read(values[0], 0);
}

// Adds the row to the parts of a sum, of which each lane has one.
template <class T> INLINED void add_to_own(operation op, T x, u64 id, u64 start, LOCAL T *sums) {
  bool aligned = __sinter_row_is_aligned() && lanes == parts;
  u64 part = aligned ? row::lane() : id % parts;
  sums[part] = (aligned ? start : id) < parts ? x : combine(op, sums[part], x);
}

// The same where there are several times as many parts as lanes. All are read and written, so that
// they may be registers.
template <class T> INLINED void add_to_some(operation op, T x, u64 start, LOCAL T *sums) {
#pragma unroll
  for (u32 first = 0; first < parts; first += lanes) {
    T before = sums[first + row::lane()], sum = start < parts ? x : combine(op, before, x);
    sums[first + row::lane()] = start % parts == first ? sum : before;
  }
}

// The same where several lanes have the same part: the first one adds all.
template <class T> INLINED void add_several(operation op, T x, u64 id, u64 start, LOCAL T *sums) {
  constexpr u32 most = lanes > parts ? lanes / parts : 1;
  u32 self = row::lane(), end = last_lane();
  T values[most] = {x};
#pragma unroll
  for (u32 i = 1; i < most; ++i)
    values[i] = row::read(x, self + i * parts);
  if (self >= parts)
    return;
  bool aligned = __sinter_row_is_aligned();
  u64 part = aligned ? self : id % parts;
  T sum = (aligned ? start : id) < parts ? x : combine(op, sums[part], x);
#pragma unroll
  for (u32 i = 1; i < most; ++i)
    sum = self + i * parts <= end ? combine(op, sum, values[i]) : sum;
  sums[part] = sum;
}

template <class T> INLINED void add(operation op, T x, u64 id, place at, LOCAL T *sums, memory<T> kept) {
  if constexpr (lanes > parts)
    add_several(op, x, id, at.start, sums);
  else if (lanes > 1 && lanes < parts && __sinter_row_is_aligned())
    add_to_some(op, x, at.start, sums);
  else
    add_to_own(op, x, id, at.start, sums);
  if (!at.is_last())
    return;
  u32 count = at.count < parts ? (u32)at.count : parts;
  *kept.total() = lanes > 1 && __sinter_row_is_full() ? joined_by_lanes(op, sums, count) : joined(op, sums, count);
}

// The result of a scan alone, in rows that have all lanes.
template <class T> INLINED void fold(operation op, T x, place at, memory<T> kept) {
  T through = *kept.carry();
  if constexpr (lanes < block)
    through = go_on<lanes>(op, row::read(row::tree<lanes>(op, x), 0), at.start, kept).here;
  else
#pragma unroll
    for (u32 first = 0; first < lanes; first += block) {
      T sum = row::read(row::tree<block>(op, x), first);
      through = first == 0 && at.start == 0 ? sum : combine(op, through, sum);
      *kept.carry() = through;
    }
  if (at.is_last())
    *kept.total() = through;
}

template <class T> INLINED void reduce(operation op, T x, u64 id, u64 count, LOCAL u64 *sums, LOCAL u64 *words) {
  place at(id, count);
  memory<T> kept{words};
  if (is_float<T> ? op != operation::min && op != operation::max : lanes > 1)
    add(op, x, id, at, (LOCAL T *)sums, kept);
  else if (is_float<T> && __sinter_row_is_aligned() && __sinter_row_is_full())
    fold(op, x, at, kept);
  else
    scan(op, x, at, kept);
}

} // namespace

#define COMBINE(T)                                                                                                     \
  extern "C" CONVERGENT void __sinter_row_reduce_##T(operation op, T x, u64 id, u64 count, LOCAL u64 *sums,             \
                                                     LOCAL u64 *words) {                                               \
    reduce(op, x, id, count, sums, words);                                                                             \
  }                                                                                                                    \
  extern "C" CONVERGENT T __sinter_row_inclusive_scan_##T(operation op, T x, u64 id, u64 count, LOCAL u64 *words) {     \
    return scan(op, x, {id, count}, memory<T>{words}).here;                                                            \
  }                                                                                                                    \
  extern "C" CONVERGENT T __sinter_row_exclusive_scan_##T(operation op, T x, T init, u64 id, u64 count,                 \
                                                          LOCAL u64 *words) {                                          \
    scanned<T> result = scan(op, x, {id, count}, memory<T>{words});                                                    \
    T before = row::lane() == 0 ? result.before : row::read(result.here, row::lane() - 1);                             \
    return id == 0 ? init : combine(op, init, before);                                                                 \
  }

ALL_COMBINED(COMBINE)

// True for all if it is for one.
extern "C" CONVERGENT void __sinter_row_any(bool x, u64 id, u64 count, LOCAL u64 *words) {
  place at(id, count);
  memory<u64> kept{words};
  u64 any = (at.start == 0 ? 0 : *kept.carry()) | (row::ballot(x) != 0);
  *kept.carry() = any;
  if (at.is_last())
    *kept.total() = any;
}
