// Copies and fills through accessors, in command groups and as shortcuts of the queue.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <memory>
#include <numeric>
#include <vector>

struct wide {
  int values[50];
};

static void to_memory(sycl::queue &queue) {
  const sycl::range<2> whole(6, 8), part(3, 4);
  const sycl::id<2> offset(2, 3);
  std::vector<int> memory(48), out(12, -1);
  std::iota(memory.begin(), memory.end(), 0);
  sycl::buffer<int, 2> buffer(memory.data(), whole);
  queue
      .submit([&](sycl::handler &handler) {
        sycl::accessor elements(buffer, handler, part, offset, sycl::read_only);
        handler.copy(elements, out.data());
      })
      .wait();
  for (int i = 0; i < 12; ++i)
    CHECK_EQUAL(out[i], (i / 4 + 2) * 8 + i % 4 + 3);

  const std::vector<int> in(12, 7);
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, part, offset, sycl::write_only);
    handler.copy(in.data(), elements);
  });
  auto shared = std::shared_ptr<int>(new int[48], [](int *memory) { delete[] memory; });
  queue
      .submit([&](sycl::handler &handler) {
        sycl::accessor elements(buffer, handler, sycl::read_only);
        handler.copy(elements, shared);
      })
      .wait();
  for (int i = 0; i < 48; ++i) {
    const bool inside = i / 8 >= 2 && i / 8 < 5 && i % 8 >= 3 && i % 8 < 7;
    CHECK_EQUAL(shared.get()[i], inside ? 7 : i);
  }
}

static void between(sycl::queue &queue) {
  sycl::buffer<int, 3> from(sycl::range<3>(4, 5, 6));
  sycl::buffer<int> to(sycl::range<1>(24));
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(from, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(from.get_range(), [=](sycl::item<3> i) { elements[i] = static_cast<int>(i.get_linear_id()); });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor source(from, handler, sycl::range<3>(2, 3, 4), sycl::id<3>(1, 1, 1), sycl::read_only);
    sycl::accessor target(to, handler, sycl::write_only, sycl::no_init);
    handler.copy(source, target);
  });
  const sycl::host_accessor result(to, sycl::read_only);
  for (int i = 0; i < 24; ++i)
    CHECK_EQUAL(result[i], (i / 12 + 1) * 30 + (i / 4 % 3 + 1) * 6 + i % 4 + 1);
}

static void fills(sycl::queue &queue) {
  sycl::buffer<int, 2> buffer(sycl::range<2>(10, 10));
  sycl::buffer<wide> large{sycl::range<1>(4)};
  queue.submit([&](sycl::handler &handler) {
    handler.fill(sycl::accessor(buffer, handler, sycl::write_only, sycl::no_init), 1);
  });
  queue.submit([&](sycl::handler &handler) {
    handler.fill(sycl::accessor(buffer, handler, sycl::range<2>(4, 5), sycl::id<2>(3, 2), sycl::write_only), 9);
  });
  wide pattern = {};
  pattern.values[49] = 5;
  queue.submit([&](sycl::handler &handler) {
    handler.fill(sycl::accessor(large, handler, sycl::write_only, sycl::no_init), pattern);
  });
  const sycl::host_accessor elements(buffer, sycl::read_only);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j)
      CHECK_EQUAL(elements[i][j], i >= 3 && i < 7 && j >= 2 && j < 7 ? 9 : 1);
  CHECK_EQUAL(sycl::host_accessor(large, sycl::read_only)[3].values[49], 5);
}

static void updates(sycl::queue &queue) {
  std::vector<int> memory(32, 1);
  sycl::buffer<int> buffer(memory.data(), sycl::range<1>(32), {sycl::property::buffer::use_host_ptr()});
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler);
    handler.parallel_for(32, [=](sycl::id<1> i) { elements[i] += 4; });
  });
  queue
      .submit([&](sycl::handler &handler) {
        sycl::accessor elements(buffer, handler, sycl::read_only);
        handler.update_host(elements);
      })
      .wait();
  CHECK_EQUAL(memory[31], 5);
}

static void shortcuts(sycl::queue &queue) {
  sycl::buffer<int> one{sycl::range<1>(16)}, other{sycl::range<1>(16)};
  std::vector<int> memory(16);
  queue.fill(sycl::accessor(one, sycl::write_only, sycl::no_init), 3);
  queue.copy(sycl::accessor(one, sycl::read_only), sycl::accessor(other, sycl::write_only, sycl::no_init));
  queue.copy(sycl::accessor(other, sycl::read_only), memory.data()).wait();
  CHECK_EQUAL(memory[15], 3);
  memory.assign(16, 8);
  queue.copy(memory.data(), sycl::accessor(one, sycl::write_only));
  std::shared_ptr<int> shared(new int[16](), [](int *memory) { delete[] memory; });
  queue.copy(sycl::accessor(one, sycl::read_only), shared).wait();
  CHECK_EQUAL(shared.get()[15], 8);
  shared.get()[0] = 4;
  queue.copy(shared, sycl::accessor(one, sycl::write_only));
  queue.update_host(sycl::accessor(one, sycl::read_only)).wait();
  CHECK_EQUAL(sycl::host_accessor(one, sycl::read_only)[0], 4);
}

// From a box to one of another shape, neither with adjacent elements, and from a line into a box.
template <class From, class To> static void copy_between(sycl::queue &queue, const From &from, const To &to) {
  queue.submit([&](sycl::handler &handler) {
    const auto source = from(handler);
    const auto destination = to(handler);
    handler.copy(source, destination);
  });
}
static void other_shapes(sycl::queue &queue) {
  std::vector<int> memory(6 * 8);
  std::iota(memory.begin(), memory.end(), 0);
  sycl::buffer<int, 2> buffer(memory.data(), sycl::range<2>(6, 8));
  sycl::buffer<int> line{sycl::range<1>(16)};
  sycl::buffer<int, 2> box{sycl::range<2>(4, 7)};
  queue.fill(sycl::accessor(box, sycl::write_only, sycl::no_init), -1);
  const auto source = [&](sycl::handler &group) {
    return sycl::accessor(buffer, group, sycl::range<2>(3, 4), sycl::id<2>(2, 3), sycl::read_only);
  };
  const auto part = [&](sycl::handler &group) {
    return sycl::accessor(line, group, sycl::range<1>(12), sycl::id<1>(2), sycl::read_write);
  };
  copy_between(queue, source, [&](sycl::handler &group) {
    return sycl::accessor(box, group, sycl::range<2>(2, 6), sycl::id<2>(1, 1), sycl::write_only);
  });
  {
    const sycl::host_accessor found(box, sycl::read_only);
    for (int i = 0; i < 28; ++i) {
      const int row = i / 7 - 1, column = i % 7 - 1, n = row * 6 + column;
      const bool inside = row >= 0 && row < 2 && column >= 0;
      CHECK_EQUAL(found[i / 7][i % 7], inside ? (n / 4 + 2) * 8 + n % 4 + 3 : -1);
    }
  }
  copy_between(queue, source, part);
  copy_between(queue, part, [&](sycl::handler &group) {
    return sycl::accessor(box, group, sycl::range<2>(4, 3), sycl::id<2>(0, 4), sycl::write_only);
  });
  const sycl::host_accessor found(box, sycl::read_only);
  for (int n = 0; n < 12; ++n)
    CHECK_EQUAL(found[n / 3][n % 3 + 4], (n / 4 + 2) * 8 + n % 4 + 3);
  CHECK_EQUAL(found[0][3], -1);
}

// Buffers and USM in one command group.
static void with_usm(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(16)};
  int *const device = sycl::malloc_device<int>(16, queue);
  const sycl::event filled = queue.fill(device, 6, 16);
  queue.submit([&](sycl::handler &handler) {
    handler.depends_on(filled);
    sycl::accessor elements(buffer, handler, sycl::write_only, sycl::no_init);
    handler.copy(device, elements);
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::read_only);
    handler.parallel_for(16, [=](sycl::id<1> i) { device[i] += elements[i]; });
  });
  queue.wait();
  std::vector<int> out(16);
  queue.copy(device, out.data(), 16).wait();
  CHECK_EQUAL(out[15], 12);
  sycl::free(device, queue);
}

int main() {
  sycl::queue queue;
  to_memory(queue);
  between(queue);
  fills(queue);
  updates(queue);
  shortcuts(queue);
  other_shapes(queue);
  with_usm(queue);
  std::puts("PASS");
}
