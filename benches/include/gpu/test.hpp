// Shared by the measured GPU programs: a list of tests, their checks and timing.
//
// Sinter's program and the peer's have the same tests with the same names. With `--serve` a program
// keeps its context and its data and answers commands on stdin, one line of JSON each, so that the
// harness alternates between both sides:
//
//   device          {"name", "gpu"}: the device in use
//   list            [{"name", "bytes", "operations", "group"}, ...]: minimum work of one launch,
//                   and the work-group size that the runtime chose, "" if the program sets it
//   check NAME      {"name", "verified"}: poisons the outputs, runs, compares with the reference;
//                   null without a reference
//   time NAME N     {"name", "seconds"}: one launch of N, after an untimed one; for N = 0 a single
//                   launch without warm-up
//
// Without `--serve` the program checks every test (or those of `--only`) and prints one line of
// report.hpp for each.
#ifndef BENCHES_GPU_TEST_HPP
#define BENCHES_GPU_TEST_HPP

#include "../report.hpp"

#include <functional>
#include <iostream>

namespace gpu {

// Interval that the clock covers.
enum class timing {
  batch,      // N launches and the wait for the last
  submission, // N launches
  completion, // N times: a launch and the wait for it
};

struct test {
  std::string name;
  std::function<void()> launch;  // asynchronous
  std::function<void()> poison;  // overwrites the outputs
  std::function<bool()> correct; // compares the outputs with the reference
  double bytes = 0;              // minimum device memory traffic of one launch
  double operations = 0;         // arithmetic of one launch, in the unit of the test's ceiling
  timing clock = timing::batch;
  std::function<std::string()> group = {}; // queries the work-group size that was chosen
};

// Purpose of the sizes: a large GPU, a CPU with few cores, or a quick functional test.
enum class scale { gpu, cpu, quick };

struct options {
  scale sizes = scale::gpu;
  bool serve = false;
  std::size_t n = 0; // 0 selects the program's default
  std::size_t repeat = 9;
  std::string only;

  // The size for the scale, or the one given by the user.
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

// `nullopt` if there is no reference.
template <class Device> std::optional<bool> check(Device &device, const test &one) {
  if (one.poison)
    one.poison();
  one.launch();
  device.wait();
  return one.correct ? std::optional<bool>(one.correct()) : std::nullopt;
}

// Seconds of one launch. For 0 launches: of a single launch without warm-up.
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
