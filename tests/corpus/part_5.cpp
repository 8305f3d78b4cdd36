// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
#include "corpus.hpp"

#include "kernels/nested_for_uniform_if_2d_accessor_barrier_call.hpp"
#include "kernels/nested_for_uniform_if_break_2d_global_memory_any_of_array.hpp"
#include "kernels/nested_for_uniform_if_continue_3d_group_memory_broadcast_array.hpp"
#include "kernels/nested_for_uniform_if_return_some_1d_global_memory_atomic.hpp"
#include "kernels/nested_for_divergent_if_3d_global_memory_scan_array.hpp"
#include "kernels/nested_for_divergent_if_break_3d_group_memory_any_of.hpp"
#include "kernels/nested_for_divergent_if_continue_1d_global_memory_reduce_call.hpp"
#include "kernels/nested_for_divergent_if_return_all_2d_accessor_reduce.hpp"
#include "kernels/nested_for_divergent_if_return_all_3d_global_memory_broadcast_call.hpp"
#include "kernels/divergent_for_3d_accessor_scan_call.hpp"
#include "kernels/divergent_for_break_2d_global_memory_reduce_array.hpp"
#include "kernels/divergent_for_continue_1d_global_memory_atomic_array.hpp"

int main() {
  return run({
    {"nested_for_uniform_if_2d_accessor_barrier_call", 2, nested_for_uniform_if_2d_accessor_barrier_call::submit, nested_for_uniform_if_2d_accessor_barrier_call::reference},
    {"nested_for_uniform_if_break_2d_global_memory_any_of_array", 2, nested_for_uniform_if_break_2d_global_memory_any_of_array::submit, nested_for_uniform_if_break_2d_global_memory_any_of_array::reference},
    {"nested_for_uniform_if_continue_3d_group_memory_broadcast_array", 3, nested_for_uniform_if_continue_3d_group_memory_broadcast_array::submit, nested_for_uniform_if_continue_3d_group_memory_broadcast_array::reference},
    {"nested_for_uniform_if_return_some_1d_global_memory_atomic", 1, nested_for_uniform_if_return_some_1d_global_memory_atomic::submit, nested_for_uniform_if_return_some_1d_global_memory_atomic::reference},
    {"nested_for_divergent_if_3d_global_memory_scan_array", 3, nested_for_divergent_if_3d_global_memory_scan_array::submit, nested_for_divergent_if_3d_global_memory_scan_array::reference},
    {"nested_for_divergent_if_break_3d_group_memory_any_of", 3, nested_for_divergent_if_break_3d_group_memory_any_of::submit, nested_for_divergent_if_break_3d_group_memory_any_of::reference},
    {"nested_for_divergent_if_continue_1d_global_memory_reduce_call", 1, nested_for_divergent_if_continue_1d_global_memory_reduce_call::submit, nested_for_divergent_if_continue_1d_global_memory_reduce_call::reference},
    {"nested_for_divergent_if_return_all_2d_accessor_reduce", 2, nested_for_divergent_if_return_all_2d_accessor_reduce::submit, nested_for_divergent_if_return_all_2d_accessor_reduce::reference},
    {"nested_for_divergent_if_return_all_3d_global_memory_broadcast_call", 3, nested_for_divergent_if_return_all_3d_global_memory_broadcast_call::submit, nested_for_divergent_if_return_all_3d_global_memory_broadcast_call::reference},
    {"divergent_for_3d_accessor_scan_call", 3, divergent_for_3d_accessor_scan_call::submit, divergent_for_3d_accessor_scan_call::reference},
    {"divergent_for_break_2d_global_memory_reduce_array", 2, divergent_for_break_2d_global_memory_reduce_array::submit, divergent_for_break_2d_global_memory_reduce_array::reference},
    {"divergent_for_continue_1d_global_memory_atomic_array", 1, divergent_for_continue_1d_global_memory_atomic_array::submit, divergent_for_continue_1d_global_memory_atomic_array::reference},
  });
}
