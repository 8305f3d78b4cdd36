// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
#include "corpus.hpp"

#include "kernels/divergent_if_return_some_2d_group_memory_atomic_array.hpp"
#include "kernels/for_2d_global_memory_any_of.hpp"
#include "kernels/for_continue_3d_accessor_reduce_call.hpp"
#include "kernels/for_return_all_1d_group_memory_atomic.hpp"
#include "kernels/for_return_some_1d_group_memory_barrier_array.hpp"
#include "kernels/for_uniform_if_1d_group_memory_any_of_call.hpp"
#include "kernels/for_uniform_if_break_2d_group_memory_barrier.hpp"
#include "kernels/for_uniform_if_return_all_1d_accessor_broadcast_call.hpp"
#include "kernels/for_uniform_if_return_all_3d_global_memory_atomic_array.hpp"
#include "kernels/for_divergent_if_1d_global_memory_reduce_array.hpp"
#include "kernels/for_divergent_if_break_1d_accessor_broadcast_array.hpp"
#include "kernels/for_divergent_if_break_2d_global_memory_scan_call.hpp"

int main() {
  return run({
    {"divergent_if_return_some_2d_group_memory_atomic_array", 2, divergent_if_return_some_2d_group_memory_atomic_array::submit, divergent_if_return_some_2d_group_memory_atomic_array::reference},
    {"for_2d_global_memory_any_of", 2, for_2d_global_memory_any_of::submit, for_2d_global_memory_any_of::reference},
    {"for_continue_3d_accessor_reduce_call", 3, for_continue_3d_accessor_reduce_call::submit, for_continue_3d_accessor_reduce_call::reference},
    {"for_return_all_1d_group_memory_atomic", 1, for_return_all_1d_group_memory_atomic::submit, for_return_all_1d_group_memory_atomic::reference},
    {"for_return_some_1d_group_memory_barrier_array", 1, for_return_some_1d_group_memory_barrier_array::submit, for_return_some_1d_group_memory_barrier_array::reference},
    {"for_uniform_if_1d_group_memory_any_of_call", 1, for_uniform_if_1d_group_memory_any_of_call::submit, for_uniform_if_1d_group_memory_any_of_call::reference},
    {"for_uniform_if_break_2d_group_memory_barrier", 2, for_uniform_if_break_2d_group_memory_barrier::submit, for_uniform_if_break_2d_group_memory_barrier::reference},
    {"for_uniform_if_return_all_1d_accessor_broadcast_call", 1, for_uniform_if_return_all_1d_accessor_broadcast_call::submit, for_uniform_if_return_all_1d_accessor_broadcast_call::reference},
    {"for_uniform_if_return_all_3d_global_memory_atomic_array", 3, for_uniform_if_return_all_3d_global_memory_atomic_array::submit, for_uniform_if_return_all_3d_global_memory_atomic_array::reference},
    {"for_divergent_if_1d_global_memory_reduce_array", 1, for_divergent_if_1d_global_memory_reduce_array::submit, for_divergent_if_1d_global_memory_reduce_array::reference},
    {"for_divergent_if_break_1d_accessor_broadcast_array", 1, for_divergent_if_break_1d_accessor_broadcast_array::submit, for_divergent_if_break_1d_accessor_broadcast_array::reference},
    {"for_divergent_if_break_2d_global_memory_scan_call", 2, for_divergent_if_break_2d_global_memory_scan_call::submit, for_divergent_if_break_2d_global_memory_scan_call::reference},
  });
}
