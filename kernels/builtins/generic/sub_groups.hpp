// Position in the work-group in 32 bits, and its sub-groups on a GPU: work-items that follow each
// other in the order of the linear ids. The last sub-group of a work-group has fewer where its size
// is no multiple of the width. To be included behind what defines sub_group::width(), the number of
// work-items in a whole one, sub_group::lane(), the number of the work-item in its own, and
// sub_group::uniform(), which tells the code generator that a number is the same in a sub-group.
#pragma once
#include "group.hpp"

namespace group {

INLINED u32 linear_id() { return (u32)local_linear_id(); }
INLINED u32 linear_range() { return (u32)local_linear_range(); }

// The number of this sub-group, and how many there are.
INLINED u32 sub_group_id() { return linear_id() / sub_group::width(); }
INLINED u32 sub_groups() { return (linear_range() + sub_group::width() - 1) / sub_group::width(); }

} // namespace group

namespace sub_group {

// True if all sub-groups of the work-group are whole. Known early where the size of the work-group
// is.
INLINED bool all_whole() { return group::linear_range() % width() == 0; }

// The number of work-items in this sub-group.
INLINED u32 members() {
  u32 first = group::linear_id() & ~(width() - 1), rest = group::linear_range() - first;
  return all_whole() || rest >= width() ? width() : rest;
}

} // namespace sub_group
