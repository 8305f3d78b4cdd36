// standards: c++17 c++20
// The images of SYCL 1.2.1: image, sampler, and accessors with the targets image, host_image and
// image_array.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <memory>
#include <vector>

using sycl::access::mode;
using sycl::access::target;
using sycl::float2;
using sycl::float4;
using sycl::int2;
using sycl::int4;
using order = sycl::image_channel_order;
using type = sycl::image_channel_type;

// A blur that reads through a sampler, and repeats it in the other direction.
void check_blur(sycl::queue &queue) {
  constexpr int width = 6, height = 4;
  std::vector<float> memory(width * height * 4, 0.0f);
  memory[4 * (width + 2)] = 16.0f;
  const sycl::range<2> size(width, height);
  {
    sycl::image<2> first(memory.data(), order::rgba, type::fp32, size), second(order::rgba, type::fp32, size);
    const sycl::sampler edges(sycl::coordinate_normalization_mode::unnormalized, sycl::addressing_mode::clamp_to_edge,
                              sycl::filtering_mode::nearest);
    CHECK(edges.get_addressing_mode() == sycl::addressing_mode::clamp_to_edge);
    CHECK(edges.get_filtering_mode() == sycl::filtering_mode::nearest);
    CHECK(edges.get_coordinate_normalization_mode() == sycl::coordinate_normalization_mode::unnormalized);
    CHECK(edges == sycl::sampler(edges) && std::hash<sycl::sampler>()(edges) == std::hash<sycl::sampler>()(sycl::sampler(edges)));
    sycl::image<2> *images[] = {&first, &second, &first};
    for (int pass = 0; pass < 2; ++pass)
      queue.submit([&](sycl::handler &group) {
        auto in = images[pass]->get_access<float4, mode::read>(group);
        auto out = images[pass + 1]->get_access<float4, mode::discard_write>(group);
        const int2 step(pass == 0 ? 1 : 0, pass == 0 ? 0 : 1);
        group.parallel_for(size, [=](sycl::item<2> i) {
          const int2 at(static_cast<int>(i[0]), static_cast<int>(i[1]));
          const float4 sum = in.read(at - step, edges) + in.read(at, edges) * 2.0f +
                             in.read(float2(static_cast<float>(at[0] + step[0]), static_cast<float>(at[1] + step[1])) + 0.5f, edges);
          out.write(at, sum * 0.25f);
        });
      });
  }
  const float weights[] = {0, 1, 2, 1, 0, 0};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      CHECK_EQUAL(memory[static_cast<std::size_t>(4 * (y * width + x))], weights[x] * (y == 1 ? 2.0f : y == 0 || y == 2 ? 1.0f : 0.0f));
}

// Reads and writes the same image in one kernel.
void check_sum(sycl::queue &queue) {
  sycl::image<2> image(order::rgba, type::fp32, sycl::range<2>(3, 3));
  queue.submit([&](sycl::handler &group) {
    sycl::accessor<float4, 2, mode::write, target::image> out(image, group);
    group.parallel_for(sycl::range<2>(3, 3), [=](sycl::id<2> i) {
      out.write(int2(static_cast<int>(i[0]), static_cast<int>(i[1])), float4(static_cast<float>(i[0] + 10 * i[1])));
    });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor<float4, 2, mode::read, target::image> in(image, group);
    sycl::accessor<float4, 2, mode::write, target::image> out(image, group);
    group.parallel_for(sycl::range<2>(3, 3), [=](sycl::id<2> i) {
      const int2 at(static_cast<int>(i[0]), static_cast<int>(i[1]));
      out.write(at, in.read(at) + float4(1.0f));
    });
  });
  sycl::accessor<float4, 2, mode::read, target::host_image> host(image);
  CHECK(host.get_range() == sycl::range<2>(3, 3) && host.get_count() == 9);
  CHECK_EQUAL(host.read(int2(2, 1))[0], 13.0f);
}

// Layers of an array of images, the colour of the border, and a filter.
void check_arrays(sycl::queue &queue) {
  constexpr std::size_t layers = 3;
  std::vector<unsigned char> memory(4 * 2 * layers);
  for (std::size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<unsigned char>(i * 5);
  sycl::image<3> image(static_cast<const void *>(memory.data()), order::r, type::unorm_int8, sycl::range<3>(4, 2, layers));
  std::vector<float4> found(layers * 4);
  {
    sycl::buffer<float4> output(found);
    const sycl::sampler smooth(sycl::coordinate_normalization_mode::normalized, sycl::addressing_mode::clamp,
                               sycl::filtering_mode::linear);
    queue.submit([&](sycl::handler &group) {
      sycl::accessor<float4, 2, mode::read, target::image_array> array(image, group);
      CHECK(array.get_range() == sycl::range<3>(4, 2, layers));
      auto out = output.get_access<mode::write>(group);
      group.parallel_for(sycl::range<1>(layers), [=](sycl::id<1> layer) {
        out[layer * 4] = array[layer[0]].read(int2(1, 1));
        out[layer * 4 + 1] = array[layer[0]].read(float2(0.25f, 0.5f), smooth);
        out[layer * 4 + 2] = array[layer[0]].read(float2(-5.0f, 0.5f), smooth);
        out[layer * 4 + 3] = array[layer[0] + 100].read(int2(0, 0));
      });
    });
  }
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto code = [&](std::size_t x, std::size_t y) { return static_cast<float>(memory[layer * 8 + y * 4 + x]) / 255.0f; };
    CHECK_EQUAL(found[layer * 4][0], code(1, 1));
    CHECK(sycl::fabs(found[layer * 4 + 1][0] - (code(0, 0) + code(1, 0) + code(0, 1) + code(1, 1)) / 4.0f) < 1e-6f);
    CHECK(sycl::all(found[layer * 4 + 2] == float4(0.0f, 0.0f, 0.0f, 1.0f)));
    CHECK_EQUAL(found[layer * 4 + 3][0], static_cast<float>(memory[16]) / 255.0f);
  }
}

void check_array_writes(sycl::queue &queue) {
  std::shared_ptr<void> owner(new int[4 * 3](), [](void *memory) { delete[] static_cast<int *>(memory); });
  {
    sycl::image<2> image(owner, order::r, type::signed_int32, sycl::range<2>(4, 3), sycl::range<1>(16));
    CHECK(image.get_pitch() == sycl::range<1>(16));
    queue.submit([&](sycl::handler &group) {
      sycl::accessor<int4, 1, mode::write, target::image_array> rows(image, group);
      group.parallel_for(sycl::range<2>(3, 4), [=](sycl::id<2> i) {
        rows[i[0]].write(static_cast<int>(i[1]), int4(static_cast<int>(10 * i[0] + i[1])));
      });
    });
  }
  const int *const values = static_cast<const int *>(owner.get());
  for (int i = 0; i < 12; ++i)
    CHECK_EQUAL(values[i], 10 * (i / 4) + i % 4);
}

void check_errors() {
  try {
    sycl::image<1> image(order::rgba, type::unorm_short_565, sycl::range<1>(4));
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
    return;
  }
  CHECK(!"refused");
}

int main() {
  sycl::queue queue;
  check_blur(queue);
  check_sum(queue);
  check_arrays(queue);
  check_array_writes(queue);
  check_errors();
  return pass();
}
