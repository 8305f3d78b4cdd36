// Loops with many rounds, alone, one after the other and nested: their results are right, or the
// wait throws. Mesa's lavapipe 22.3.6 lets the loops of a work-item do 65,535 rounds in all; a
// kernel that stays below that must not throw there either.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <string>

#include "../check.hpp"

using word = unsigned;

static word step(word x, word i) { return (x ^ i) * 1664525u + 1013904223u; }

static word one(word n) {
  word x = 1;
  for (word i = 0; i < n; ++i)
    x = step(x, i);
  return x;
}
static word nested(word n) {
  word x = 1;
  for (word i = 0; i < n / 1000; ++i)
    for (word j = 0; j < 1000 && x != 42; ++j)
      x = step(x, i + j);
  return x;
}
static word in_turn(word n) { return one(n / 2) ^ one(n / 2 + 1); }

// The kernel `which` does about this many rounds for each item.
static word run(int which, word n) { return which == 0 ? one(n) : which == 1 ? nested(n) : in_turn(n); }

int main() {
  const char *devices = std::getenv("SINTER_VISIBILITY_MASK");
  const bool may_end = devices && std::string(devices) == "vulkan";
  sycl::queue queue;
  word *data = sycl::malloc_shared<word>(20, queue);
  bool ended = false;
  for (word n : {word(10000), word(60000), word(200000)}) {
    for (int which = 0; which < 3 && !ended; ++which) {
      std::string text;
      try {
        queue.parallel_for(20, [=](sycl::id<1> i) { data[i] = run(which, n + word(i)); }).wait_and_throw();
      } catch (const sycl::exception &error) {
        text = error.what();
        std::puts(text.c_str());
        CHECK(may_end && n > 65535);
        CHECK(text.find("65,535 rounds") != std::string::npos);
        ended = true;
      }
      for (word i = 0; i < 20 && !ended; ++i)
        CHECK_EQUAL(data[i], run(which, n + i));
    }
  }
  return pass();
}
