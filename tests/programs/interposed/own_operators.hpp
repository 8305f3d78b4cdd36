// Uses of operator new and operator delete that reach those of the program, which another unit
// defines.
#ifndef OWN_OPERATORS_HPP
#define OWN_OPERATORS_HPP

#include "where.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <thread>

// Calls of the operators of the program on this thread: libraries call them on theirs.
extern thread_local long news, deletes;

// True if an action calls each `count` times.
template <class Action> bool calls_own(long news_expected, long deletes_expected, const Action &action) {
  const long before = news, deleted = deletes;
  action();
  return news - before == news_expected && deletes - deleted == deletes_expected;
}

struct alignas(64) Wide {
  char bytes[64];
};

// Whoever has a pointer may delete it: the compiler removes no pair of operators.
inline void *volatile escaped;
template <class Type> Type *kept(Type *pointer) {
  escaped = const_cast<void *>(static_cast<const volatile void *>(pointer));
  return static_cast<Type *>(escaped);
}

// `has_new`, `has_delete`: the program defines the operator, apart from aligned forms.
inline void use_all_forms(bool has_new, bool has_delete) {
  // The first allocation may start a driver, which calls the operators too.
  is_interposed();
  const auto own = [=](long count, const auto &action) {
    return calls_own(has_new ? count : 0, has_delete ? count : 0, action);
  };
  CHECK(own(1, [] { delete kept(new int(3)); }));
  CHECK(own(1, [] { delete[] kept(new std::string[4]); }));
  CHECK(own(1, [] { delete kept(new (std::nothrow) long(3)); }));
  CHECK(own(1, [] { ::operator delete(kept(::operator new(100))); }));
  CHECK(own(1, [] { ::operator delete(kept(::operator new(100)), std::size_t(100)); }));
  // A direct call is never removed, although nobody uses its result.
  CHECK(own(2, [] {
    ::operator delete(::operator new(1));
    ::operator delete[](::operator new[](1, std::nothrow));
  }));
  CHECK(calls_own(has_new ? 2 : 0, 0, [] {
    static_cast<void>(::operator new(1));
    static_cast<void>(::operator new[](1));
  }));
  CHECK(own(1, [] { kept(std::vector<int>(100, 1).data()); }));
  CHECK(own(1, [] { kept(std::make_shared<int>(1).get()); }));
  CHECK(own(0, [] { delete kept(new Wide); }));
  // The block that is grown is one of malloc in any case.
  void *block = std::realloc(std::malloc(10), 100000);
  std::free(block);
}

inline void use_algorithms(bool has_new) {
  std::vector<int> values(100000, 1);
  const bool is_shared = is_interposed();
  // The operator of the program calls malloc in code that is compiled with --stdpar.
  const bool is_reached = runs_on_device(
      [&] { std::for_each(std::execution::par_unseq, values.begin(), values.end(), [](int &x) { x += 2; }); });
  CHECK(is_reached == (has_new || !is_shared));
  CHECK(std::reduce(std::execution::par_unseq, values.begin(), values.end(), 0L) == 300000);
  std::vector<std::thread> all;
  std::atomic<long> wrong = 0;
  for (int t = 0; t != 4; ++t)
    all.emplace_back([&wrong, t] {
      for (int round = 0; round != 200; ++round) {
        std::vector<std::unique_ptr<long>> each;
        for (long i = 0; i != 100; ++i)
          each.push_back(std::make_unique<long>(i + t));
        for (long i = 0; i != 100; ++i)
          wrong += *each[i] != i + t;
      }
    });
  for (std::thread &thread : all)
    thread.join();
  CHECK(wrong == 0);
  std::vector<std::string> words(1000, std::string(100, 'x'));
  std::sort(std::execution::par_unseq, words.begin(), words.end());
  CHECK(words.front() == words.back());
}

#endif
