// Random commands on random parts of buffers, through several queues, against a sequential model.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <random>
#include <vector>

constexpr std::size_t rows = 6, columns = 10, buffer_count = 4;
using model = std::vector<int>;

struct part {
  sycl::range<2> size;
  sycl::id<2> start;
};

class choices {
public:
  explicit choices(unsigned seed) : engine(seed) {}
  std::size_t below(std::size_t limit) { return engine() % limit; }
  part any_part() {
    part chosen{{1, 1}, {below(rows), below(columns)}};
    chosen.size = {1 + below(rows - chosen.start[0]), 1 + below(columns - chosen.start[1])};
    return chosen;
  }

private:
  std::mt19937 engine;
};

static int &at(model &values, const part &of, std::size_t i, std::size_t j) {
  return values[(of.start[0] + i) * columns + of.start[1] + j];
}

template <class Action> static void each(const part &of, const Action &action) {
  for (std::size_t i = 0; i < of.size[0]; ++i)
    for (std::size_t j = 0; j < of.size[1]; ++j)
      action(i, j);
}

class run {
public:
  run(unsigned seed, std::vector<sycl::queue> &all)
      : random(seed), queues(all), models(buffer_count, model(rows * columns)) {
    memory = models;
    for (std::size_t i = 0; i < buffer_count; ++i) {
      for (std::size_t j = 0; j < rows * columns; ++j)
        memory[i][j] = models[i][j] = static_cast<int>(i * 1000 + j);
      buffers.emplace_back(memory[i].data(), sycl::range<2>(rows, columns));
    }
  }

  void step() {
    switch (random.below(8)) {
    case 0: return fill();
    case 1: return look();
    case 2: return change();
    case 3: return copy();
    case 4: return flat();
    default: return combine();
    }
  }
  void finish() {
    buffers.clear();
    for (std::size_t i = 0; i < buffer_count; ++i)
      for (std::size_t j = 0; j < rows * columns; ++j)
        CHECK_EQUAL(memory[i][j], models[i][j]);
  }

private:
  sycl::queue &queue() { return queues[random.below(queues.size())]; }

  void fill() {
    const part of = random.any_part();
    const std::size_t one = random.below(buffer_count);
    const int value = static_cast<int>(random.below(1000));
    queue().submit([&](sycl::handler &handler) {
      sycl::accessor elements(buffers[one], handler, of.size, of.start, sycl::write_only, sycl::no_init);
      handler.parallel_for(of.size, [=](sycl::id<2> i) { elements[i] = value; });
    });
    each(of, [&](std::size_t i, std::size_t j) { at(models[one], of, i, j) = value; });
  }
  void look() {
    const part of = random.any_part();
    const std::size_t one = random.below(buffer_count);
    const sycl::host_accessor elements(buffers[one], of.size, of.start, sycl::read_only);
    each(of, [&](std::size_t i, std::size_t j) { CHECK_EQUAL(elements[i][j], at(models[one], of, i, j)); });
  }
  void change() {
    const part of = random.any_part();
    const std::size_t one = random.below(buffer_count);
    sycl::host_accessor elements(buffers[one], of.size, of.start);
    each(of, [&](std::size_t i, std::size_t j) {
      elements[i][j] += 3;
      at(models[one], of, i, j) += 3;
    });
  }
  void copy() {
    part from = random.any_part(), to = random.any_part();
    for (int d = 0; d < 2; ++d)
      from.size[d] = to.size[d] = std::min(from.size[d], to.size[d]);
    const std::size_t one = random.below(buffer_count), other = (one + 1) % buffer_count;
    queue().submit([&](sycl::handler &handler) {
      sycl::accessor source(buffers[one], handler, from.size, from.start, sycl::read_only);
      sycl::accessor target(buffers[other], handler, to.size, to.start, sycl::write_only);
      handler.copy(source, target);
    });
    each(to, [&](std::size_t i, std::size_t j) { at(models[other], to, i, j) = at(models[one], from, i, j); });
  }
  // A view of another shape.
  void flat() {
    const std::size_t one = random.below(buffer_count), first = random.below(rows * columns);
    const std::size_t length = 1 + random.below(rows * columns - first);
    sycl::buffer<int> view = buffers[one].reinterpret<int, 1>(sycl::range<1>(rows * columns));
    sycl::buffer<int> sub(view, sycl::id<1>(first), sycl::range<1>(length));
    queue().submit([&](sycl::handler &handler) {
      sycl::accessor elements(sub, handler, sycl::read_write);
      handler.parallel_for(length, [=](sycl::id<1> i) { elements[i] ^= 5; });
    });
    for (std::size_t i = first; i < first + length; ++i)
      models[one][i] ^= 5;
  }
  void combine() {
    part from = random.any_part(), to = random.any_part();
    for (int d = 0; d < 2; ++d)
      from.size[d] = to.size[d] = std::min(from.size[d], to.size[d]);
    const std::size_t one = random.below(buffer_count);
    const std::size_t other = (one + 1 + random.below(buffer_count - 1)) % buffer_count;
    queue().submit([&](sycl::handler &handler) {
      sycl::accessor source(buffers[one], handler, from.size, from.start, sycl::read_only);
      sycl::accessor target(buffers[other], handler, to.size, to.start, sycl::read_write);
      handler.parallel_for(to.size, [=](sycl::id<2> i) { target[i] = target[i] / 2 + source[i]; });
    });
    each(to, [&](std::size_t i, std::size_t j) {
      at(models[other], to, i, j) = at(models[other], to, i, j) / 2 + at(models[one], from, i, j);
    });
  }

  choices random;
  std::vector<sycl::queue> &queues;
  std::vector<model> models, memory;
  std::vector<sycl::buffer<int, 2>> buffers;
};

int main() {
  std::vector<sycl::queue> queues;
  queues.emplace_back();
  queues.emplace_back(sycl::property::queue::in_order());
  for (const sycl::device &device : sycl::device::get_devices())
    queues.emplace_back(device);
  for (unsigned seed = 0; seed < 30; ++seed) {
    run one(seed, queues);
    for (int step = 0; step < 150; ++step)
      one.step();
    one.finish();
  }
  std::puts("PASS");
}
