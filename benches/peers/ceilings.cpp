// Peak rates of the processor on all of its cores: bytes copied and read, fused multiply-adds and
// increments of private tables. One sample each, the best of several rounds, in the same kind of
// memory as the kernels'.
#include "groups.hpp"
#include "huge_pages.hpp"

#include <memory>

namespace {

constexpr int rounds = 7;

// The best rate of `work`, which does `amount` of something.
template <class F> double rate(double amount, const F &work) {
  double best = 0;
  for (int round = 0; round <= rounds; round++) {
    const double taken = bench::seconds(work);
    if (round != 0)
      best = std::max(best, amount / taken);
  }
  return best;
}

// Two ways to copy: loops store through the cache, the library's function around it.
double copied() {
  double *const from = bench::allocate<double>(groups::vector), *const to = bench::allocate<double>(groups::vector);
#pragma omp parallel for simd
  for (std::size_t i = 0; i < groups::vector; i++)
    from[i] = to[i] = double(i);
  const double loops = rate(2.0 * sizeof(double) * groups::vector, [&] {
#pragma omp parallel for simd
    for (std::size_t i = 0; i < groups::vector; i++)
      to[i] = from[i];
  });
  constexpr std::size_t part = std::size_t(1) << 17;
  const double library = rate(2.0 * sizeof(double) * groups::vector, [&] {
#pragma omp parallel for
    for (std::size_t i = 0; i < groups::vector; i += part)
      std::memcpy(&to[i], &from[i], part * sizeof(double));
  });
  std::free(from);
  std::free(to);
  return std::max(loops, library);
}

std::uint64_t all_bits(const std::uint64_t *in) {
  std::uint64_t all = 0;
#pragma omp parallel for simd reduction(| : all)
  for (std::size_t i = 0; i < groups::vector; i++)
    all |= in[i];
  return all;
}

double read() {
  std::uint64_t *const from = bench::allocate<std::uint64_t>(groups::vector);
#pragma omp parallel for
  for (std::size_t i = 0; i < groups::vector; i++)
    from[i] = i;
  volatile std::uint64_t result;
  const double best = rate(double(sizeof(std::uint64_t)) * groups::vector, [&] { result = all_bits(from); });
  std::free(from);
  return best;
}

// Independent chains of whole registers hide the latency.
double multiply_adds() {
  constexpr std::size_t chains = 12, lanes = 16, steps = 1 << 20;
  typedef float row __attribute__((vector_size(lanes * sizeof(float))));
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  volatile float result = 0.999f;
  return rate(double(threads) * chains * lanes * steps, [&] {
#pragma omp parallel
    {
      const float factor = result;
      row sums[chains];
      for (std::size_t chain = 0; chain < chains; chain++)
        sums[chain] = row{} + float(chain);
      for (std::size_t step = 0; step < steps; step++)
        for (std::size_t chain = 0; chain < chains; chain++)
          sums[chain] = sums[chain] * factor + factor;
      row total{};
      for (std::size_t chain = 0; chain < chains; chain++)
        total += sums[chain];
      if (total[0] == -1)
        result = total[0];
    }
  });
}

// Several tables a thread, so that no increment waits for the one before.
double increments() {
  constexpr std::size_t tables = 8;
  std::unique_ptr<unsigned char[]> data(new unsigned char[groups::values]);
  for (std::size_t i = 0; i < groups::values; i++)
    data[i] = groups::value(i);
  volatile std::uint32_t result;
  return rate(groups::values, [&] {
#pragma omp parallel
    {
      std::uint32_t counts[tables][groups::bins] = {};
#pragma omp for
      for (std::size_t i = 0; i < groups::values; i += tables)
        for (std::size_t table = 0; table < tables; table++)
          counts[table][data[i + table]]++;
      result = counts[0][0] + counts[tables - 1][groups::bins - 1];
    }
  });
}

} // namespace

int main() {
  bench::emit("copy", "B/s", {copied()});
  bench::emit("read", "B/s", {read()});
  bench::emit("multiply-add", "1/s", {multiply_adds()});
  bench::emit("increment", "1/s", {increments()});
}
