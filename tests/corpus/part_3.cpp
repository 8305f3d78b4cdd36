// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
#include "corpus.hpp"

#include "kernels/for_divergent_if_continue_1d_group_memory_scan.hpp"
#include "kernels/for_divergent_if_continue_2d_accessor_any_of_array.hpp"
#include "kernels/for_divergent_if_return_some_3d_accessor_barrier.hpp"
#include "kernels/do_while_3d_accessor_broadcast_array.hpp"
#include "kernels/do_while_break_1d_global_memory_broadcast.hpp"
#include "kernels/do_while_continue_2d_accessor_scan_array.hpp"
#include "kernels/do_while_return_all_2d_group_memory_reduce_call.hpp"
#include "kernels/do_while_return_some_2d_accessor_atomic.hpp"
#include "kernels/do_while_return_some_2d_global_memory_barrier_call.hpp"
#include "kernels/do_while_uniform_if_1d_group_memory_reduce_array.hpp"
#include "kernels/do_while_uniform_if_2d_group_memory_scan.hpp"
#include "kernels/do_while_uniform_if_break_3d_accessor_any_of_call.hpp"

int main() {
  return run({
    {"for_divergent_if_continue_1d_group_memory_scan", 1, for_divergent_if_continue_1d_group_memory_scan::submit, for_divergent_if_continue_1d_group_memory_scan::reference},
    {"for_divergent_if_continue_2d_accessor_any_of_array", 2, for_divergent_if_continue_2d_accessor_any_of_array::submit, for_divergent_if_continue_2d_accessor_any_of_array::reference},
    {"for_divergent_if_return_some_3d_accessor_barrier", 3, for_divergent_if_return_some_3d_accessor_barrier::submit, for_divergent_if_return_some_3d_accessor_barrier::reference},
    {"do_while_3d_accessor_broadcast_array", 3, do_while_3d_accessor_broadcast_array::submit, do_while_3d_accessor_broadcast_array::reference},
    {"do_while_break_1d_global_memory_broadcast", 1, do_while_break_1d_global_memory_broadcast::submit, do_while_break_1d_global_memory_broadcast::reference},
    {"do_while_continue_2d_accessor_scan_array", 2, do_while_continue_2d_accessor_scan_array::submit, do_while_continue_2d_accessor_scan_array::reference},
    {"do_while_return_all_2d_group_memory_reduce_call", 2, do_while_return_all_2d_group_memory_reduce_call::submit, do_while_return_all_2d_group_memory_reduce_call::reference},
    {"do_while_return_some_2d_accessor_atomic", 2, do_while_return_some_2d_accessor_atomic::submit, do_while_return_some_2d_accessor_atomic::reference},
    {"do_while_return_some_2d_global_memory_barrier_call", 2, do_while_return_some_2d_global_memory_barrier_call::submit, do_while_return_some_2d_global_memory_barrier_call::reference},
    {"do_while_uniform_if_1d_group_memory_reduce_array", 1, do_while_uniform_if_1d_group_memory_reduce_array::submit, do_while_uniform_if_1d_group_memory_reduce_array::reference},
    {"do_while_uniform_if_2d_group_memory_scan", 2, do_while_uniform_if_2d_group_memory_scan::submit, do_while_uniform_if_2d_group_memory_scan::reference},
    {"do_while_uniform_if_break_3d_accessor_any_of_call", 3, do_while_uniform_if_break_3d_accessor_any_of_call::submit, do_while_uniform_if_break_3d_accessor_any_of_call::reference},
  });
}
