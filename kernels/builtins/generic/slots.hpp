// Local memory through which the work-items of a group exchange values.
#pragma once
#include "group.hpp"

#define LOCAL __attribute__((address_space(3)))

// Each slice of the collectives defines these; linking makes them one variable per kernel.
namespace sinter_group {

// Results of the sub-groups, of which there are up to 32. Two collectives of a kernel never
// overlap.
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u64 totals[32];
// Values of single work-items, by size.
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u32 words[1024];
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u64 long_words[1024];

} // namespace sinter_group

namespace work_group {

using namespace sinter_group;

template <class T> INLINED LOCAL T *total(u32 number) { return (LOCAL T *)totals + number; }

template <class T> INLINED LOCAL T *slot(u32 item) {
  if constexpr (sizeof(T) == 8)
    return (LOCAL T *)long_words + item;
  else
    return (LOCAL T *)words + item;
}

} // namespace work_group
