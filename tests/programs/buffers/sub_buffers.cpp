// Sub-buffers and reinterpreted buffers share their elements with the buffer.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <vector>

template <class Buffer> static void set(sycl::queue &queue, Buffer buffer, int value) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(buffer.get_range(), [=](auto i) { elements[i] = value; });
  });
}

static bool refused(sycl::buffer<int, 2> &buffer, sycl::id<2> start, sycl::range<2> size) {
  try {
    sycl::buffer<int, 2> part(buffer, start, size);
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::invalid;
  }
  return false;
}

static void parts(sycl::queue &queue) {
  std::vector<int> memory(100, 0);
  {
    sycl::buffer<int> whole(memory.data(), sycl::range<1>(100));
    sycl::buffer<int> low(whole, sycl::id<1>(0), sycl::range<1>(50)), high(whole, 50, 50), middle(whole, 25, 50);
    CHECK(low.is_sub_buffer() && !whole.is_sub_buffer() && low != high && low == low);
    for (int round = 0; round < 20; ++round) {
      set(queue, low, round);
      set(queue, high, 100 + round);
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor elements(middle, handler);
        handler.parallel_for(50, [=](sycl::id<1> i) { elements[i] += 1000; });
      });
    }
    const sycl::host_accessor elements(whole, sycl::read_only);
    for (int i = 0; i < 100; ++i)
      CHECK_EQUAL(elements[i], (i < 50 ? 19 : 119) + (i >= 25 && i < 75 ? 1000 : 0));
  }
  CHECK_EQUAL(memory[24], 19);
  CHECK_EQUAL(memory[25], 1019);
}

static void rows(sycl::queue &queue) {
  std::vector<int> memory(8 * 6, 1);
  {
    sycl::buffer<int, 2> whole(memory.data(), sycl::range<2>(6, 8));
    set(queue, sycl::buffer<int, 2>(whole, sycl::id<2>(2, 0), sycl::range<2>(2, 8)), 5);
    set(queue, sycl::buffer<int, 2>(whole, sycl::id<2>(5, 3), sycl::range<2>(1, 4)), 6);
    CHECK(refused(whole, sycl::id<2>(1, 1), sycl::range<2>(2, 4)));
    CHECK(refused(whole, sycl::id<2>(5, 0), sycl::range<2>(2, 8)));
    sycl::buffer<int, 2> part(whole, sycl::id<2>(2, 0), sycl::range<2>(2, 8));
    CHECK(refused(part, sycl::id<2>(0, 0), sycl::range<2>(1, 8)));
  }
  for (int i = 0; i < 48; ++i)
    CHECK_EQUAL(memory[i], i / 8 == 2 || i / 8 == 3 ? 5 : i >= 43 && i < 47 ? 6 : 1);
}

static void reinterpreted(sycl::queue &queue) {
  std::vector<std::uint32_t> memory(64, 0x01020304);
  {
    sycl::buffer<std::uint32_t> words(memory.data(), sycl::range<1>(64));
    auto bytes = words.reinterpret<std::uint8_t>();
    CHECK_EQUAL(bytes.size(), std::size_t(256));
    auto square = words.reinterpret<float, 2>(sycl::range<2>(8, 8));
    CHECK(square.get_range() == sycl::range<2>(8, 8));
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(bytes, handler, sycl::range<1>(4), sycl::id<1>(8), sycl::write_only);
      handler.parallel_for(4, [=](sycl::id<1> i) { elements[i] = static_cast<std::uint8_t>(i[0]); });
    });
    queue.submit([&](sycl::handler &handler) {
      const sycl::id<2> start(5, 6);
      sycl::accessor elements(square, handler, sycl::range<2>(3, 2), start, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<2>(3, 2), [=](sycl::id<2> i) { elements[i] = 1.f; });
    });
    auto same = words.reinterpret<int>();
    const sycl::host_accessor elements(same, sycl::read_only);
    CHECK_EQUAL(elements[2], 0x03020100);
    CHECK_EQUAL(elements[63], 0x3f800000);
    bool threw = false;
    try {
      words.reinterpret<double, 1>(sycl::range<1>(33));
    } catch (const sycl::exception &error) {
      threw = error.code() == sycl::errc::invalid;
    }
    CHECK(threw);
  }
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(memory[i], i == 2 ? 0x03020100u : i / 8 >= 5 && i % 8 >= 6 ? 0x3f800000u : 0x01020304u);
}

int main() {
  sycl::queue queue;
  parts(queue);
  rows(queue);
  reinterpreted(queue);
  std::puts("PASS");
}
