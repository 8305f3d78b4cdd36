// Integers in registers and local memory in SYCL, beside peers/patterns/puzzles.cuh.
#ifndef BENCHES_CUDA_PATTERNS_PUZZLES_HPP
#define BENCHES_CUDA_PATTERNS_PUZZLES_HPP

#include "gpu/patterns/puzzles.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const distances &p) {
  device.queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint8_t, 1> a(word_length, group), b(word_length, group);
    sycl::local_accessor<int, 2> diagonals({3, word_length + 1}, group);
    group.parallel_for(sycl::nd_range<1>(p.pairs * word_length, word_length),
                       [=, words = p.words, out = p.out](sycl::nd_item<1> item) {
                         const int l = item.get_local_id(0), i = l + 1, pair = item.get_group(0);
                         a[l] = words[2 * pair * word_length + l];
                         b[l] = words[(2 * pair + 1) * word_length + l];
                         if (l == 0) {
                           diagonals[0][0] = 0;
                           diagonals[1][0] = 1;
                           diagonals[1][1] = 1;
                         }
                         for (int d = 2; d <= 2 * word_length; d++) {
                           sycl::group_barrier(item.get_group());
                           const int now = d % 3, last = (d + 2) % 3, before = (d + 1) % 3, j = d - i;
                           if (j >= 1 && j <= word_length)
                             diagonals[now][i] = sycl::min(sycl::min(diagonals[last][i], diagonals[last][i - 1]) + 1,
                                                           diagonals[before][i - 1] + (a[i - 1] != b[j - 1]));
                           else if (j == 0)
                             diagonals[now][i] = i;
                           if (l == 0 && d <= word_length)
                             diagonals[now][0] = d;
                         }
                         if (i == word_length)
                           out[pair] = diagonals[2 * word_length % 3][word_length];
                       });
  });
}

inline void submit(sycl_device &device, const queens &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.padded, group_size),
                            [beginnings = p.beginnings, out = p.out, n = p.count, rows = p.side - queens::given_rows,
                             board = p.board()](sycl::nd_item<1> item) {
                              const std::size_t i = item.get_global_id(0);
                              if (i < n)
                                out[i] = completions(beginnings[i], rows, board);
                            });
}

} // namespace gpu::patterns

#endif
