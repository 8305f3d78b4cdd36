// levels: 0 2
// Atomic operations that a program spells as loops around atomicCAS, in global and in shared memory,
// with their old values used and not, and counters that wrap.
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>

constexpr int groups = 16, group = 128, count = groups * group, places = 8;

__device__ double add_double(double *address, double x) {
  auto *word = reinterpret_cast<unsigned long long *>(address);
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    const double sum = x + __longlong_as_double(static_cast<long long>(assumed));
    old = atomicCAS(word, assumed, static_cast<unsigned long long>(__double_as_longlong(sum)));
  } while (assumed != old);
  return __longlong_as_double(static_cast<long long>(old));
}

template <class Function> __device__ int update(int *address, Function function) {
  int old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, function(assumed));
  } while (old != assumed);
  return old;
}

// Counts its rounds, so each thread has had one at least.
__device__ int counted(int *address, int *rounds) {
  int old = *address, assumed, tries = 0;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, assumed + 3);
    tries++;
  } while (old != assumed);
  atomicAdd(rounds, tries);
  return old;
}

struct Results {
  double sum, sums[places], in_group[groups];
  float single;
  int least, greatest, all, odd, difference, tried, rounds, taken[count];
  unsigned up, down, kept, up_values[16], down_values[16], group_up[groups];
  __half half;
};

__global__ void combine(Results *r) {
  __shared__ double local;
  __shared__ unsigned counter;
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x == 0)
    local = 0, counter = 0;
  __syncthreads();
  add_double(&r->sum, 1.0);
  add_double(&r->sums[i % places], 0.5 * (i % 3));
  add_double(i % 2 ? &local : &r->in_group[blockIdx.x], 2.0);
  atomicInc(&counter, 1000000);
  update(&r->least, [=](int x) { return min(x, -i); });
  update(&r->greatest, [=](int x) { return max(x, i); });
  update(&r->all, [=](int x) { return x | 1 << i % 30; });
  update(&r->odd, [=](int x) { return x ^ 1 << i % 7; });
  r->taken[update(&r->difference, [](int x) { return x - 1; }) - 1] = 1;
  counted(&r->tried, &r->rounds);
  atomicAdd(&r->half, __float2half(1.0f));
  int *single = reinterpret_cast<int *>(&r->single);
  update(single, [](int x) { return __float_as_int(__int_as_float(x) + 0.25f); });
  atomicAdd(&r->up_values[atomicInc(&r->up, 9)], 1);
  atomicAdd(&r->down_values[atomicDec(&r->down, 6)], 1);
  atomicDec(&r->kept, 0xffffffff);
  __syncthreads();
  if (threadIdx.x == 0)
    r->in_group[blockIdx.x] += local, r->group_up[blockIdx.x] = counter;
}

bool are_right(const Results &r) {
  Results wanted = {};
  bool right = r.sum == count && r.least == 1 - count && r.greatest == count - 1 && r.all == (1 << 30) - 1;
  for (int i = 0; i < count; i++) {
    wanted.sums[i % places] += 0.5 * (i % 3), wanted.odd ^= 1 << i % 7, wanted.single += 0.25f;
    wanted.up_values[wanted.up]++, wanted.up = wanted.up >= 9 ? 0 : wanted.up + 1;
    wanted.down_values[wanted.down]++, wanted.down = wanted.down == 0 || wanted.down > 6 ? 6 : wanted.down - 1;
    // Each old value was another.
    right = right && r.taken[i] == 1;
  }
  right = right && std::equal(r.sums, r.sums + places, wanted.sums) && r.odd == wanted.odd && r.difference == 0;
  right = right && r.single == wanted.single && r.tried == 3 * count && r.rounds >= count;
  right = right && __half2float(r.half) == count;
  right = right && r.up == wanted.up && r.down == wanted.down && r.kept == 5u - count;
  right = right && std::equal(r.up_values, r.up_values + 16, wanted.up_values);
  right = right && std::equal(r.down_values, r.down_values + 16, wanted.down_values);
  for (int g = 0; g < groups; g++)
    right = right && r.in_group[g] == 2.0 * group && r.group_up[g] == group;
  return right;
}

int main() {
  Results *r = nullptr;
  if (cudaMallocManaged(&r, sizeof *r) != cudaSuccess)
    return 1;
  *r = Results();
  r->difference = count, r->kept = 5;
  combine<<<groups, group>>>(r);
  const bool ended = cudaDeviceSynchronize() == cudaSuccess;
  const bool right = ended && are_right(*r);
  cudaFree(r);
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
