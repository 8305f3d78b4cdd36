// Position in the work-group in 32 bits, and a GPU's sub-groups: consecutive work-items in the
// order of linear IDs. The last sub-group of a work-group is smaller if the size is not a multiple
// of the width. To be included after the definitions of sub_group::width(), the work-items in a
// full sub-group, sub_group::lane(), the number of the work-item in its sub-group, and
// sub_group::uniform(), which tells the code generator that a number is uniform in a sub-group.
#pragma once
#include "group.hpp"

namespace group {

INLINED u32 linear_id() { return (u32)local_linear_id(); }
INLINED u32 linear_range() { return (u32)local_linear_range(); }

// The number of this sub-group, and the number of sub-groups.
INLINED u32 sub_group_id() { return linear_id() / sub_group::width(); }
INLINED u32 sub_groups() { return (linear_range() + sub_group::width() - 1) / sub_group::width(); }

} // namespace group

namespace sub_group {

// True if all sub-groups of the work-group are full. A constant if the work-group size is known.
INLINED bool all_whole() { return group::linear_range() % width() == 0; }

// Number of work-items in this sub-group.
INLINED u32 members() {
  u32 first = group::linear_id() & ~(width() - 1), rest = group::linear_range() - first;
  return all_whole() || rest >= width() ? width() : rest;
}

} // namespace sub_group
