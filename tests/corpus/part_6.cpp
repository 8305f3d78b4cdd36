// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
#include "corpus.hpp"

#include "kernels/divergent_for_continue_3d_group_memory_any_of.hpp"
#include "kernels/divergent_for_return_all_3d_group_memory_broadcast.hpp"
#include "kernels/divergent_for_uniform_if_3d_global_memory_reduce.hpp"
#include "kernels/divergent_for_uniform_if_break_1d_group_memory_broadcast_call.hpp"
#include "kernels/divergent_for_uniform_if_continue_1d_accessor_reduce.hpp"
#include "kernels/divergent_for_uniform_if_continue_2d_group_memory_atomic_call.hpp"
#include "kernels/divergent_for_uniform_if_return_some_3d_accessor_barrier_array.hpp"
#include "kernels/divergent_for_divergent_if_2d_group_memory_broadcast_array.hpp"
#include "kernels/divergent_for_divergent_if_break_3d_accessor_atomic.hpp"
#include "kernels/divergent_for_divergent_if_return_all_1d_global_memory_any_of_call.hpp"
#include "kernels/divergent_for_divergent_if_return_all_2d_accessor_barrier_array.hpp"
#include "kernels/divergent_for_divergent_if_return_some_1d_group_memory_barrier_call.hpp"

int main() {
  return run({
    {"divergent_for_continue_3d_group_memory_any_of", 3, divergent_for_continue_3d_group_memory_any_of::submit, divergent_for_continue_3d_group_memory_any_of::reference},
    {"divergent_for_return_all_3d_group_memory_broadcast", 3, divergent_for_return_all_3d_group_memory_broadcast::submit, divergent_for_return_all_3d_group_memory_broadcast::reference},
    {"divergent_for_uniform_if_3d_global_memory_reduce", 3, divergent_for_uniform_if_3d_global_memory_reduce::submit, divergent_for_uniform_if_3d_global_memory_reduce::reference},
    {"divergent_for_uniform_if_break_1d_group_memory_broadcast_call", 1, divergent_for_uniform_if_break_1d_group_memory_broadcast_call::submit, divergent_for_uniform_if_break_1d_group_memory_broadcast_call::reference},
    {"divergent_for_uniform_if_continue_1d_accessor_reduce", 1, divergent_for_uniform_if_continue_1d_accessor_reduce::submit, divergent_for_uniform_if_continue_1d_accessor_reduce::reference},
    {"divergent_for_uniform_if_continue_2d_group_memory_atomic_call", 2, divergent_for_uniform_if_continue_2d_group_memory_atomic_call::submit, divergent_for_uniform_if_continue_2d_group_memory_atomic_call::reference},
    {"divergent_for_uniform_if_return_some_3d_accessor_barrier_array", 3, divergent_for_uniform_if_return_some_3d_accessor_barrier_array::submit, divergent_for_uniform_if_return_some_3d_accessor_barrier_array::reference},
    {"divergent_for_divergent_if_2d_group_memory_broadcast_array", 2, divergent_for_divergent_if_2d_group_memory_broadcast_array::submit, divergent_for_divergent_if_2d_group_memory_broadcast_array::reference},
    {"divergent_for_divergent_if_break_3d_accessor_atomic", 3, divergent_for_divergent_if_break_3d_accessor_atomic::submit, divergent_for_divergent_if_break_3d_accessor_atomic::reference},
    {"divergent_for_divergent_if_return_all_1d_global_memory_any_of_call", 1, divergent_for_divergent_if_return_all_1d_global_memory_any_of_call::submit, divergent_for_divergent_if_return_all_1d_global_memory_any_of_call::reference},
    {"divergent_for_divergent_if_return_all_2d_accessor_barrier_array", 2, divergent_for_divergent_if_return_all_2d_accessor_barrier_array::submit, divergent_for_divergent_if_return_all_2d_accessor_barrier_array::reference},
    {"divergent_for_divergent_if_return_some_1d_group_memory_barrier_call", 1, divergent_for_divergent_if_return_some_1d_group_memory_barrier_call::submit, divergent_for_divergent_if_return_some_1d_group_memory_barrier_call::reference},
  });
}
