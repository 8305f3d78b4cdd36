// Virtual classes that a kernel constructs and calls through references to their bases.
// levels: 0 2
// needs: function pointers
#include <sycl/sycl.hpp>

#include <typeinfo>

#include "../check.hpp"

struct shape {
  virtual ~shape() = default;
  virtual int area() const = 0;
  virtual int corners() const { return 0; }
};

struct rectangle : shape {
  int width, height;
  rectangle(int w, int h) : width(w), height(h) {}
  int area() const override { return width * height; }
  int corners() const override { return 4; }
};

struct square final : rectangle {
  explicit square(int side) : rectangle(side, side) {}
  int corners() const override { return 40; }
};

struct named {
  virtual ~named() {}
  virtual int name() const { return 7; }
};

struct disc : shape, virtual named {
  int radius;
  explicit disc(int r) : radius(r) {}
  int area() const override { return 3 * radius * radius; }
  int name() const override { return 8 + radius; }
};

[[gnu::noinline]] static int measure(const shape &s) { return s.area() * 100 + s.corners(); }
[[gnu::noinline]] static int identify(const named &n) { return n.name(); }

static int work(int i) {
  rectangle r(i, 2);
  square s(i + 1);
  disc d(i + 2);
  const named plain;
  const shape &chosen = i % 3 == 0 ? static_cast<const shape &>(r) : i % 3 == 1 ? static_cast<const shape &>(s) : d;
  return measure(chosen) + identify(i % 2 ? d : plain) + typeid(chosen).name()[0];
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(30, queue);
  queue.parallel_for(30, [=](int i) { out[i] = work(i); }).wait();
  for (int i = 0; i < 30; ++i)
    CHECK_EQUAL(out[i], work(i));
  sycl::free(out, queue);
  return pass();
}
