// Shared by all measured programs: a clock, one JSON line per figure, and facts about the process.
//
// A line is {"name", "unit", "samples", "minimum", "median", "verified"}; times are in seconds, and
// `verified` is null for figures without a checkable result. The harness runs the programs, so that
// Sinter and its peer are measured in turn. Absolute numbers from a shared machine are meaningless:
// only the ratio of two programs measured side by side counts.
#ifndef BENCHES_REPORT_HPP
#define BENCHES_REPORT_HPP

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace bench {

inline double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

template <class F> double seconds(const F &work) {
  const double start = now();
  work();
  return now() - start;
}

inline double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

// A verdict in JSON.
inline const char *json(std::optional<bool> verified) { return !verified ? "null" : *verified ? "true" : "false"; }

inline void emit(const char *name, const char *unit, const std::vector<double> &samples,
                 std::optional<bool> verified = {}) {
  std::printf("{\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[", name, unit);
  for (std::size_t i = 0; i < samples.size(); i++)
    std::printf("%s%.9g", i ? "," : "", samples[i]);
  std::printf("],\"minimum\":%.9g,\"median\":%.9g,\"verified\":%s}\n",
              *std::min_element(samples.begin(), samples.end()), median(samples), json(verified));
}

// Peak resident memory. Not ru_maxrss: exec keeps in it the peak of the process that started this
// one.
inline double peak_resident_kib() {
  double peak = 0;
  char line[256];
  if (std::FILE *status = std::fopen("/proc/self/status", "r")) {
    while (std::fgets(line, sizeof line, status))
      if (std::strncmp(line, "VmHWM:", 6) == 0)
        peak = std::strtod(line + 6, nullptr);
    std::fclose(status);
  }
  return peak;
}

// 1 if a file whose path contains `name` is mapped, else 0.
inline double is_mapped(const char *name) {
  double found = 0;
  char line[4096 + 256];
  if (std::FILE *maps = std::fopen("/proc/self/maps", "r")) {
    while (std::fgets(line, sizeof line, maps))
      if (std::strstr(line, name))
        found = 1;
    std::fclose(maps);
  }
  return found;
}

inline std::size_t positive(const char *text, const char *what) {
  const unsigned long long value = std::strtoull(text, nullptr, 10);
  if (value == 0) {
    std::fprintf(stderr, "%s must be a positive number, not \"%s\"\n", what, text);
    std::exit(2);
  }
  return static_cast<std::size_t>(value);
}

} // namespace bench

#endif
