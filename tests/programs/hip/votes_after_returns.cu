// Barriers that vote, of blocks in which some work-items have ended: these do not vote.
// needs: barriers that count those who have ended
#include <cstdio>

struct Votes {
  int count, all, any;
};

// Of a block of 80, `n` work-items go on.
__global__ void vote(Votes *votes, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  Votes own;
  own.count = __syncthreads_count(i % 3 == 0);
  own.all = 2 * (__syncthreads_and(i < 200) != 0) + (__syncthreads_and(i != 1) != 0);
  own.any = 2 * (__syncthreads_or(i == n - 1) != 0) + (__syncthreads_or(i == n) != 0);
  votes[i] = own;
}

// Work-items end between votes, the first of a row and whole rows among them.
__global__ void end_in_turn(int *counts) {
  const int i = threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    const int there = __syncthreads_count(1);
    if (i == 79)
      counts[round] = there;
    if (i < 16 * (round + 1) || i % 8 == round)
      return;
  }
}

int main() {
  Votes *votes = nullptr;
  int *counts = nullptr;
  if (cudaMallocManaged(&votes, 80 * sizeof *votes) != cudaSuccess ||
      cudaMallocManaged(&counts, 4 * sizeof *counts) != cudaSuccess)
    return std::puts("no memory"), 1;
  for (int n : {1, 8, 31, 32, 40, 79, 80}) {
    vote<<<1, 80>>>(votes, n);
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
      return std::puts(sinter_last_error()), 1;
    for (int i = 0; i < n; ++i)
      if (votes[i].count != (n + 2) / 3 || votes[i].all != 2 + (n < 2) || votes[i].any != 2)
        return std::printf("%d of %d: %d %d %d\n", i, n, votes[i].count, votes[i].all, votes[i].any), 1;
  }
  end_in_turn<<<1, 80>>>(counts);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return std::puts(sinter_last_error()), 1;
  int wanted[4] = {};
  for (int i = 0; i < 80; ++i)
    for (int round = 0; round < 4; ++round) {
      ++wanted[round];
      if (i < 16 * (round + 1) || i % 8 == round)
        break;
    }
  for (int round = 0; round < 4; ++round)
    if (counts[round] != wanted[round])
      return std::printf("round %d: %d of %d\n", round, counts[round], wanted[round]), 1;
  std::puts("PASS");
}
