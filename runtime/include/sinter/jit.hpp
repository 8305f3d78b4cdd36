// When kernels are compiled, for programs in C++.
#ifndef SINTER_JIT_HPP
#define SINTER_JIT_HPP

#include "jit.h"
#include "jit_mode.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinter {

// Returns when every kernel that was launched so far has the code that it keeps. Benchmarks call it
// after their first launches, so that nothing is compiled while they measure.
inline void wait_for_jit() {
  if (sinter_wait_for_jit() != SINTER_SUCCESS)
    throw std::runtime_error(sinter_last_error());
}

enum class reason : unsigned {
  launch = SINTER_REASON_LAUNCH,   // a launch waits for the code
  upgrade = SINTER_REASON_UPGRADE, // it replaces quick code
  values = SINTER_REASON_VALUES,   // it is for values that launches repeat
  ahead = SINTER_REASON_AHEAD      // a launch may need it
};

enum class source : unsigned {
  failed = SINTER_SOURCE_FAILED,
  translated = SINTER_SOURCE_TRANSLATED,
  disk = SINTER_SOURCE_DISK,
  system = SINTER_SOURCE_SYSTEM, // a read-only cache
  memory = SINTER_SOURCE_MEMORY, // in this process already
  under_way = SINTER_SOURCE_UNDER_WAY
};

enum class level : unsigned {
  unoptimised = SINTER_LEVEL_UNOPTIMISED,
  quick = SINTER_LEVEL_QUICK,
  full = SINTER_LEVEL_FULL,
  none = SINTER_LEVEL_NONE // there is no code
};

// An attempt to make code of a kernel ready for launches of one kind.
struct compilation {
  explicit compilation(const sinter_compilation &other)
      : kernel(other.kernel), symbol(other.symbol), device_name(other.device_name), variant(other.variant),
        failure(other.failure ? other.failure : ""), device(other.device),
        why(static_cast<reason>(other.reason)), from(static_cast<source>(other.source)),
        tier(static_cast<level>(other.level)), duration(other.nanoseconds), translate(other.translate_nanoseconds),
        assemble(other.assemble_nanoseconds), load(other.load_nanoseconds) {}

  std::string kernel; // readable name
  std::string symbol;
  std::string device_name;
  std::string variant; // launches that the code is for, as in the report
  std::string failure; // empty if there is none
  unsigned device;     // its number
  reason why;
  source from;
  level tier;
  std::chrono::nanoseconds duration; // of the attempt, with waits for other threads and processes
  std::chrono::nanoseconds translate;
  std::chrono::nanoseconds assemble; // in the driver's assembler
  std::chrono::nanoseconds load;
};

// Calls a function for each compilation until it is destroyed, which waits for calls of other
// threads. sinter_observer_create says on which threads, and what the function must not do.
// Exceptions of the function end the program.
class compilation_observer {
public:
  template <class Function, std::enable_if_t<std::is_invocable_v<Function &, const compilation &>, int> = 0>
  explicit compilation_observer(Function function) : owned(new holder<Function>{std::move(function)}, &drop<Function>) {
    if (sinter_observer_create(&call<Function>, owned.get(), &handle) != SINTER_SUCCESS)
      throw std::runtime_error(sinter_last_error());
  }
  compilation_observer(const compilation_observer &) = delete;
  compilation_observer &operator=(const compilation_observer &) = delete;
  // Must not run in a call of such a function.
  ~compilation_observer() {
    if (sinter_observer_destroy(handle) != SINTER_SUCCESS)
      std::terminate();
  }

private:
  template <class Function> struct holder {
    Function function;
  };
  template <class Function> static void drop(void *held) { delete static_cast<holder<Function> *>(held); }
  template <class Function> static void call(const sinter_compilation *one, void *held) noexcept {
    static_cast<holder<Function> *>(held)->function(compilation(*one));
  }

  std::unique_ptr<void, void (*)(void *)> owned;
  sinter_observer *handle = nullptr;
};

// Something was compiled in a region that allows no compilation. The message names the kernels.
class compiled_error : public std::runtime_error {
public:
  compiled_error(const std::string &message, std::vector<compilation> list)
      : std::runtime_error(message), all(std::make_shared<const std::vector<compilation>>(std::move(list))) {}
  const std::vector<compilation> &compilations() const noexcept { return *all; }

private:
  std::shared_ptr<const std::vector<compilation>> all;
};

// A part of a program in which nothing should be compiled, by any thread, from its construction to
// `end`. Without `end` nothing is checked.
class no_compilation_region {
public:
  no_compilation_region() {
    if (sinter_region_begin(&handle) != SINTER_SUCCESS)
      throw std::runtime_error(sinter_last_error());
  }
  no_compilation_region(const no_compilation_region &) = delete;
  no_compilation_region &operator=(const no_compilation_region &) = delete;
  ~no_compilation_region() {
    if (handle)
      sinter_region_end(handle, nullptr, nullptr);
  }

  // Throws compiled_error if something was. May be called once.
  void end() {
    std::vector<compilation> list;
    const sinter_status status = sinter_region_end(std::exchange(handle, nullptr), &add, &list);
    if (status == SINTER_ERROR_COMPILED)
      throw compiled_error(sinter_last_error(), std::move(list));
    if (status != SINTER_SUCCESS)
      throw std::runtime_error(sinter_last_error());
  }

private:
  static void add(const sinter_compilation *one, void *list) noexcept {
    static_cast<std::vector<compilation> *>(list)->emplace_back(*one);
  }

  sinter_region *handle = nullptr;
};

// Calls a function, such as the timed part of a benchmark, and returns its result. Throws
// compiled_error if something was compiled meanwhile.
template <class Function> auto expect_no_compilation(Function &&function) {
  no_compilation_region region;
  if constexpr (std::is_void_v<decltype(function())>) {
    function();
    region.end();
  } else {
    auto result = function();
    region.end();
    return result;
  }
}

} // namespace sinter

#endif
