// Parallel algorithms of ISO C++. The same file is the peer: there libstdc++ runs them over TBB.
#include "report.hpp"
#ifdef __SINTER__
#include "counters.hpp"
#endif

#include <algorithm>
#include <cstdint>
#include <execution>
#include <numeric>
#include <string>

namespace {

constexpr auto policy = std::execution::par_unseq;

// Pseudo-random floats that are the same on each run.
std::vector<float> numbers(std::size_t size) {
  std::vector<float> result(size);
  std::uint64_t state = 1;
  for (float &number : result) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    number = static_cast<float>(state >> 40) - 8388608.0f;
  }
  return result;
}

class suite {
public:
  suite(std::size_t elements, std::size_t samples)
      : size(elements), count(samples), given(numbers(size)), other(given), result(size) {}

  void run() {
    measure("for_each", [&] { std::for_each(policy, other.begin(), other.end(), [](float &x) { x = x * 0.5f + 1; }); });
    measure("transform", [&] {
      std::transform(policy, given.begin(), given.end(), result.begin(), [](float x) { return x * 2 + 1; });
    });
    measure("reduce", [&] { sum = std::reduce(policy, given.begin(), given.end()); });
    measure("transform_reduce",
            [&] { sum = std::transform_reduce(policy, given.begin(), given.end(), other.begin(), 0.f); });
    measure("inclusive_scan", [&] { std::inclusive_scan(policy, given.begin(), given.end(), result.begin()); });
    measure("min_element", [&] { sum = *std::min_element(policy, given.begin(), given.end()); });
    measure("copy_if",
            [&] { std::copy_if(policy, given.begin(), given.end(), result.begin(), [](float x) { return x > 0; }); });
    measure("find", [&] { sum = float(std::find(policy, given.begin(), given.end(), 0.5f) - given.begin()); });
    measure_sorted();
    measure("sort", [&] { std::sort(policy, result.begin(), result.end()); });
    const bool ascends = std::is_sorted(result.begin(), result.end());
    measure("sort_by",
            [&] { std::sort(policy, result.begin(), result.end(), [](float x, float y) { return x > y; }); });
    bench::emit(name("sorted").c_str(), "results", {1}, ascends && std::is_sorted(result.rbegin(), result.rend()));
  }

private:
  std::string name(const char *algorithm) const { return algorithm + ("." + std::to_string(size)); }

  // The operands are two halves; some elements are equal. The numbers of small calls' elements are
  // the same each time, so that a CPU foresees the branches of a serial loop.
  void measure_sorted() {
    const auto middle = other.begin() + std::ptrdiff_t(size / 2);
    other = given;
    std::sort(other.begin(), middle);
    std::sort(middle, other.end());
    const auto operate = [&](const char *algorithm, auto operation) {
      measure(algorithm, [&] { operation(other.begin(), middle, middle, other.end(), result.begin()); });
    };
    operate("merge", [](auto... ranges) { std::merge(policy, ranges...); });
    operate("set_union", [](auto... ranges) { std::set_union(policy, ranges...); });
    operate("set_intersection", [](auto... ranges) { std::set_intersection(policy, ranges...); });
    operate("set_difference", [](auto... ranges) { std::set_difference(policy, ranges...); });
    operate("set_symmetric_difference", [](auto... ranges) { std::set_symmetric_difference(policy, ranges...); });
  }

  // Small calls are timed many at a time. The first, which translates, is not timed.
  template <class Work> void measure(const char *algorithm, const Work &work) {
    const bool changes = std::strncmp(algorithm, "sort", 4) == 0;
    const std::size_t calls = size < 100000 ? (changes ? 20 : 200) : 1;
    std::vector<double> samples;
    for (std::size_t sample = 0; sample <= count; ++sample) {
      double time = 0;
      if (changes) {
        for (std::size_t call = 0; call != calls; ++call) {
          result = given;
          time += bench::seconds(work);
        }
      } else {
        time = bench::seconds([&] {
          for (std::size_t call = 0; call != calls; ++call)
            work();
        });
      }
      if (sample != 0)
        samples.push_back(time / double(calls));
    }
    bench::emit(name(algorithm).c_str(), "s", samples);
  }

  std::size_t size, count;
  std::vector<float> given, other, result;
  volatile float sum = 0;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s ELEMENTS SAMPLES\n", argv[0]);
    return 2;
  }
  const std::size_t elements = bench::positive(argv[1], "ELEMENTS"), samples = bench::positive(argv[2], "SAMPLES");
  suite(1000, samples).run();
  suite(elements, samples).run();
#ifdef __SINTER__
  bench::emit("translated", "kernels", {double(bench::counters().translated)});
#endif
  return 0;
}
