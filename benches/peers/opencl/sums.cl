// Sums of VALUE(a, b, i), which has the type TYPE, in groups of GROUP work-items.
//
// sum_groups has four sums per work-item, like Sinter's reductions, and a tree; sum_builtin uses
// the built-in group reduction, which was added in OpenCL C 2.0.
#ifndef GROUP
#define GROUP 256
#endif

TYPE tree(TYPE value, local TYPE *part) {
  const uint l = get_local_id(0);
  part[l] = value;
  for (uint half_size = GROUP / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size)
      part[l] += part[l + half_size];
  }
  return part[0];
}

TYPE mine(global const TYPE *a, global const TYPE *b, uint n) {
  const uint step = get_global_size(0);
  uint i = get_global_id(0);
  TYPE sums[4] = {0, 0, 0, 0};
  for (; i + 3 * step < n; i += 4 * step)
    for (uint k = 0; k < 4; k++)
      sums[k] += VALUE(a, b, i + k * step);
  for (; i < n; i += step)
    sums[0] += VALUE(a, b, i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

kernel void sum_groups(global const TYPE *a, global const TYPE *b, global TYPE *parts, uint n) {
  local TYPE part[GROUP];
  const TYPE sum = tree(mine(a, b, n), part);
  if (get_local_id(0) == 0)
    parts[get_group_id(0)] = sum;
}

kernel void sum_parts(global const TYPE *parts, global TYPE *total, uint n) {
  local TYPE part[GROUP];
  TYPE sum = 0;
  for (uint i = get_local_id(0); i < n; i += GROUP)
    sum += parts[i];
  sum = tree(sum, part);
  if (get_local_id(0) == 0)
    *total = sum;
}

#if __OPENCL_C_VERSION__ >= 200
kernel void sum_builtin(global const TYPE *a, global const TYPE *b, global TYPE *parts, uint n) {
  const TYPE sum = work_group_reduce_add(mine(a, b, n));
  if (get_local_id(0) == 0)
    parts[get_group_id(0)] = sum;
}
#endif
