// The peer of cuda/patterns/puzzles.hpp.
#ifndef BENCHES_PEERS_PATTERNS_PUZZLES_CUH
#define BENCHES_PEERS_PATTERNS_PUZZLES_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/puzzles.hpp"

namespace gpu::patterns {

static __global__ void distances_kernel(const std::uint8_t *words, int *out) {
  __shared__ std::uint8_t a[word_length], b[word_length];
  __shared__ int diagonals[3][word_length + 1];
  const int l = threadIdx.x, i = l + 1, pair = blockIdx.x;
  a[l] = words[2 * pair * word_length + l];
  b[l] = words[(2 * pair + 1) * word_length + l];
  if (l == 0) {
    diagonals[0][0] = 0;
    diagonals[1][0] = 1;
    diagonals[1][1] = 1;
  }
  for (int d = 2; d <= 2 * word_length; d++) {
    __syncthreads();
    const int now = d % 3, last = (d + 2) % 3, before = (d + 1) % 3, j = d - i;
    if (j >= 1 && j <= word_length)
      diagonals[now][i] =
          min(min(diagonals[last][i], diagonals[last][i - 1]) + 1, diagonals[before][i - 1] + (a[i - 1] != b[j - 1]));
    else if (j == 0)
      diagonals[now][i] = i;
    if (l == 0 && d <= word_length)
      diagonals[now][0] = d;
  }
  if (i == word_length)
    out[pair] = diagonals[2 * word_length % 3][word_length];
}

inline void submit(cuda_device &, const distances &p) {
  gpu::launch(distances_kernel, p.pairs, word_length, p.words, p.out);
}

static __global__ void queens_kernel(const beginning *beginnings, unsigned *out, std::size_t n, int rows,
                                     unsigned board) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n)
    out[i] = completions(beginnings[i], rows, board);
}

inline void submit(cuda_device &, const queens &p) {
  gpu::launch(queens_kernel, groups(p.count, group_size), group_size, p.beginnings, p.out, p.count,
              p.side - queens::given_rows, p.board());
}

} // namespace gpu::patterns

#endif
