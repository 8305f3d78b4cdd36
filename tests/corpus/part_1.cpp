// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
#include "corpus.hpp"

#include "kernels/straight_1d_accessor_barrier.hpp"
#include "kernels/straight_3d_group_memory_any_of_array.hpp"
#include "kernels/return_all_1d_global_memory_reduce_array.hpp"
#include "kernels/return_all_2d_global_memory_scan.hpp"
#include "kernels/return_some_3d_global_memory_atomic_call.hpp"
#include "kernels/uniform_if_2d_accessor_reduce_call.hpp"
#include "kernels/uniform_if_2d_global_memory_broadcast_call.hpp"
#include "kernels/uniform_if_return_all_1d_group_memory_scan_array.hpp"
#include "kernels/uniform_if_return_all_3d_accessor_scan.hpp"
#include "kernels/uniform_if_return_some_1d_accessor_atomic_call.hpp"
#include "kernels/divergent_if_1d_accessor_any_of.hpp"
#include "kernels/divergent_if_return_all_3d_group_memory_barrier_call.hpp"

int main() {
  return run({
    {"straight_1d_accessor_barrier", 1, straight_1d_accessor_barrier::submit, straight_1d_accessor_barrier::reference},
    {"straight_3d_group_memory_any_of_array", 3, straight_3d_group_memory_any_of_array::submit, straight_3d_group_memory_any_of_array::reference},
    {"return_all_1d_global_memory_reduce_array", 1, return_all_1d_global_memory_reduce_array::submit, return_all_1d_global_memory_reduce_array::reference},
    {"return_all_2d_global_memory_scan", 2, return_all_2d_global_memory_scan::submit, return_all_2d_global_memory_scan::reference},
    {"return_some_3d_global_memory_atomic_call", 3, return_some_3d_global_memory_atomic_call::submit, return_some_3d_global_memory_atomic_call::reference},
    {"uniform_if_2d_accessor_reduce_call", 2, uniform_if_2d_accessor_reduce_call::submit, uniform_if_2d_accessor_reduce_call::reference},
    {"uniform_if_2d_global_memory_broadcast_call", 2, uniform_if_2d_global_memory_broadcast_call::submit, uniform_if_2d_global_memory_broadcast_call::reference},
    {"uniform_if_return_all_1d_group_memory_scan_array", 1, uniform_if_return_all_1d_group_memory_scan_array::submit, uniform_if_return_all_1d_group_memory_scan_array::reference},
    {"uniform_if_return_all_3d_accessor_scan", 3, uniform_if_return_all_3d_accessor_scan::submit, uniform_if_return_all_3d_accessor_scan::reference},
    {"uniform_if_return_some_1d_accessor_atomic_call", 1, uniform_if_return_some_1d_accessor_atomic_call::submit, uniform_if_return_some_1d_accessor_atomic_call::reference},
    {"divergent_if_1d_accessor_any_of", 1, divergent_if_1d_accessor_any_of::submit, divergent_if_1d_accessor_any_of::reference},
    {"divergent_if_return_all_3d_group_memory_barrier_call", 3, divergent_if_return_all_3d_group_memory_barrier_call::submit, divergent_if_return_all_3d_group_memory_barrier_call::reference},
  });
}
