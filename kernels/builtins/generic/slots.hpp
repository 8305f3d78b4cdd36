// Local memory in which the work-items of a group leave values for each other.
#pragma once
#include "group.hpp"

#define LOCAL __attribute__((address_space(3)))

// Each slice of the collectives has these, under names by which those of a kernel become one.
namespace sinter_group {

// What the sub-groups tell each other: there are up to 32. Never two collectives of a kernel are
// under way.
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u64 totals[32];
// What single work-items tell each other, by the size of the value.
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
