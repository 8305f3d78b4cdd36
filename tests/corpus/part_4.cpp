// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
#include "corpus.hpp"

#include "kernels/do_while_uniform_if_continue_1d_global_memory_scan_call.hpp"
#include "kernels/do_while_uniform_if_return_all_1d_global_memory_barrier_array.hpp"
#include "kernels/do_while_uniform_if_return_all_2d_group_memory_any_of.hpp"
#include "kernels/do_while_uniform_if_return_some_3d_group_memory_atomic_array.hpp"
#include "kernels/do_while_divergent_if_1d_accessor_atomic_call.hpp"
#include "kernels/do_while_divergent_if_break_3d_group_memory_reduce_array.hpp"
#include "kernels/do_while_divergent_if_continue_3d_global_memory_barrier.hpp"
#include "kernels/nested_for_2d_group_memory_atomic.hpp"
#include "kernels/nested_for_break_1d_group_memory_scan_call.hpp"
#include "kernels/nested_for_break_3d_accessor_barrier.hpp"
#include "kernels/nested_for_continue_2d_accessor_broadcast.hpp"
#include "kernels/nested_for_return_all_1d_accessor_any_of_array.hpp"

int main() {
  return run({
    {"do_while_uniform_if_continue_1d_global_memory_scan_call", 1, do_while_uniform_if_continue_1d_global_memory_scan_call::submit, do_while_uniform_if_continue_1d_global_memory_scan_call::reference},
    {"do_while_uniform_if_return_all_1d_global_memory_barrier_array", 1, do_while_uniform_if_return_all_1d_global_memory_barrier_array::submit, do_while_uniform_if_return_all_1d_global_memory_barrier_array::reference},
    {"do_while_uniform_if_return_all_2d_group_memory_any_of", 2, do_while_uniform_if_return_all_2d_group_memory_any_of::submit, do_while_uniform_if_return_all_2d_group_memory_any_of::reference},
    {"do_while_uniform_if_return_some_3d_group_memory_atomic_array", 3, do_while_uniform_if_return_some_3d_group_memory_atomic_array::submit, do_while_uniform_if_return_some_3d_group_memory_atomic_array::reference},
    {"do_while_divergent_if_1d_accessor_atomic_call", 1, do_while_divergent_if_1d_accessor_atomic_call::submit, do_while_divergent_if_1d_accessor_atomic_call::reference},
    {"do_while_divergent_if_break_3d_group_memory_reduce_array", 3, do_while_divergent_if_break_3d_group_memory_reduce_array::submit, do_while_divergent_if_break_3d_group_memory_reduce_array::reference},
    {"do_while_divergent_if_continue_3d_global_memory_barrier", 3, do_while_divergent_if_continue_3d_global_memory_barrier::submit, do_while_divergent_if_continue_3d_global_memory_barrier::reference},
    {"nested_for_2d_group_memory_atomic", 2, nested_for_2d_group_memory_atomic::submit, nested_for_2d_group_memory_atomic::reference},
    {"nested_for_break_1d_group_memory_scan_call", 1, nested_for_break_1d_group_memory_scan_call::submit, nested_for_break_1d_group_memory_scan_call::reference},
    {"nested_for_break_3d_accessor_barrier", 3, nested_for_break_3d_accessor_barrier::submit, nested_for_break_3d_accessor_barrier::reference},
    {"nested_for_continue_2d_accessor_broadcast", 2, nested_for_continue_2d_accessor_broadcast::submit, nested_for_continue_2d_accessor_broadcast::reference},
    {"nested_for_return_all_1d_accessor_any_of_array", 1, nested_for_return_all_1d_accessor_any_of_array::submit, nested_for_return_all_1d_accessor_any_of_array::reference},
  });
}
