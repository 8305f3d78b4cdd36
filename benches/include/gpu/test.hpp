// What every measured GPU program shares: a list of tests, and how they are checked and timed.
//
// Sinter's program and the peer's have the same tests under the same names. With `--serve` a program keeps its context
// and its data and answers commands on stdin, one line of JSON each, so that the harness runs both sides in turn:
//
//   device          {"name", "gpu"}: what it runs on
//   list            [{"name", "bytes", "operations", "group"}, ...]: the least work of one launch, and the work-group size
//                   that the runtime chose, "" where the program says it
//   check NAME      {"name", "verified"}: poisons the outputs, runs, compares with the reference; null where there is none
//   time NAME N     {"name", "seconds"}: one launch of N, after an untimed one; without the untimed one where N is 0
//
// Without it the program checks every test (or those of `--only`) and prints one line of report.hpp for each.
#ifndef BENCHES_GPU_TEST_HPP
#define BENCHES_GPU_TEST_HPP

#include "../report.hpp"

#include <functional>
#include <iostream>

namespace gpu {

// What the clock covers.
enum class timing {
  batch,      // N launches and the wait for the last
  submission, // N launches
  completion, // N times a launch and the wait for it
};

struct test {
  std::string name;
  std::function<void()> launch;  // asynchronous
  std::function<void()> poison;  // spoils the outputs
  std::function<bool()> correct; // compares them with the reference
  double bytes = 0;              // least traffic with device memory of one launch
  double operations = 0;         // arithmetic of one launch, in the unit of the test's ceiling
  timing clock = timing::batch;
  std::function<std::string()> group = {}; // asks for the work-group size that was chosen
};

// What sizes are for: a large GPU, a CPU with few cores, or to see that everything works.
enum class scale { gpu, cpu, quick };

struct options {
  scale sizes = scale::gpu;
  bool serve = false;
  std::size_t n = 0; // 0: the program's own size
  std::size_t repeat = 9;
  std::string only;

  // The size for the scale, or the one that was asked for.
  std::size_t size(std::size_t on_gpu, std::size_t on_cpu, std::size_t small) const {
    return n ? n : sizes == scale::gpu ? on_gpu : sizes == scale::cpu ? on_cpu : small;
  }
};

inline options parse(int argc, char **argv) {
  options chosen;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--quick")
      chosen.sizes = scale::quick;
    else if (word == "--cpu")
      chosen.sizes = scale::cpu;
    else if (word == "--serve")
      chosen.serve = true;
    else if (word == "--n" && more)
      chosen.n = bench::positive(argv[++i], "--n");
    else if (word == "--repeat" && more)
      chosen.repeat = bench::positive(argv[++i], "--repeat");
    else if (word == "--only" && more)
      chosen.only = argv[++i];
    else {
      std::fprintf(stderr, "usage: %s [--cpu | --quick] [--serve] [--n N] [--repeat N] [--only NAME]\n", argv[0]);
      std::exit(2);
    }
  }
  return chosen;
}

// Nothing, if there is nothing to compare.
template <class Device> std::optional<bool> check(Device &device, const test &one) {
  if (one.poison)
    one.poison();
  one.launch();
  device.wait();
  return one.correct ? std::optional<bool>(one.correct()) : std::nullopt;
}

// Seconds of one launch. For 0 launches: of a single one that nothing prepares.
template <class Device> double time(Device &device, const test &one, std::size_t launches) {
  if (launches > 0)
    one.launch();
  device.wait();
  launches = std::max<std::size_t>(launches, 1);
  const double start = bench::now();
  for (std::size_t i = 0; i < launches; i++) {
    one.launch();
    if (one.clock == timing::completion)
      device.wait();
  }
  if (one.clock == timing::batch)
    device.wait();
  const double end = bench::now();
  device.wait();
  return (end - start) / static_cast<double>(launches);
}

inline const test *find(const std::vector<test> &tests, const std::string &name) {
  for (const test &one : tests)
    if (one.name == name)
      return &one;
  std::fprintf(stderr, "there is no test \"%s\"\n", name.c_str());
  return nullptr;
}

inline void list(const std::vector<test> &tests) {
  const char *separator = "[";
  for (const test &one : tests) {
    std::printf("%s{\"name\":\"%s\",\"bytes\":%.17g,\"operations\":%.17g,\"group\":\"%s\"}", separator, one.name.c_str(),
                one.bytes, one.operations, one.group ? one.group().c_str() : "");
    separator = ",";
  }
  std::printf("]\n");
}

template <class Device> int serve(Device &device, const std::vector<test> &tests) {
  std::string command, name;
  while (std::cin >> command) {
    if (command == "list") {
      list(tests);
    } else if (command == "device") {
      std::printf("{\"name\":\"%s\",\"gpu\":%s}\n", device.name().c_str(), device.is_gpu() ? "true" : "false");
    } else {
      std::cin >> name;
      const test *one = find(tests, name);
      std::size_t launches = 0;
      if (!one || (command == "time" && !(std::cin >> launches)))
        return 2;
      if (command == "check")
        std::printf("{\"name\":\"%s\",\"verified\":%s}\n", name.c_str(), bench::json(check(device, *one)));
      else
        std::printf("{\"name\":\"%s\",\"seconds\":%.9g}\n", name.c_str(), time(device, *one, launches));
    }
    std::fflush(stdout);
  }
  return 0;
}

template <class Device> int run(Device &device, const std::vector<test> &tests, const options &chosen) {
  if (chosen.serve)
    return serve(device, tests);
  bool all = true, any = false;
  for (const test &one : tests) {
    if (!chosen.only.empty() && chosen.only != one.name)
      continue;
    const std::optional<bool> verified = check(device, one);
    std::vector<double> samples;
    for (std::size_t i = 0; i < chosen.repeat; i++)
      samples.push_back(time(device, one, 1));
    bench::emit(one.name.c_str(), "s", samples, verified);
    all = all && verified.value_or(true);
    any = true;
  }
  if (!any)
    find(tests, chosen.only);
  return all && any ? 0 : 1;
}

} // namespace gpu

#endif
