// standards: c++17 c++20
// sampled_image: constructors, queries and accessors; formats of integers, fractions and half.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <memory>
#include <vector>

using sycl::addressing_mode;
using sycl::float2;
using sycl::float4;
using sycl::image_format;
constexpr sycl::image_sampler edges{addressing_mode::clamp_to_edge, sycl::coordinate_normalization_mode::unnormalized,
                                    sycl::filtering_mode::nearest};
constexpr sycl::image_sampler smooth{addressing_mode::clamp_to_edge, sycl::coordinate_normalization_mode::unnormalized,
                                     sycl::filtering_mode::linear};
using image_of_bytes = sycl::sampled_image<2>;

// The pixels of the first row, read by a kernel and by the host.
template <class Data, class Image> std::vector<Data> first_row(sycl::queue &queue, Image &image) {
  std::vector<Data> row(image.get_range()[0]);
  {
    sycl::buffer<Data> output(row);
    queue.submit([&](sycl::handler &group) {
      sycl::sampled_image_accessor<Data, 2> pixels(image, group);
      sycl::accessor out(output, group, sycl::write_only, sycl::no_init);
      group.parallel_for(output.get_range(), [=](sycl::id<1> i) {
        out[i] = pixels.read(float2(static_cast<float>(i[0]) + 0.5f, -3.0f));
      });
    });
  }
  auto host = image.template get_host_access<const Data>();
  CHECK_EQUAL(host.size(), image.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    CHECK(sycl::all(host.read(float2(static_cast<float>(i) + 0.5f, 0.5f)) == row[i]));
  return row;
}

void check_constructors(sycl::queue &queue) {
  std::vector<std::uint8_t> bytes(96);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i);
  const sycl::range<2> size(4, 3);
  const std::shared_ptr<const void> owner(bytes.data(), [](const void *) {});
  const sycl::image_allocator allocator;
  constexpr image_format format = image_format::r8g8b8a8_uint;
  const sycl::range<1> pitch(32);
  const sycl::property_list none;
  image_of_bytes images[] = {
      {bytes.data(), format, edges, size},        {bytes.data(), format, edges, size, allocator, none},
      {bytes.data(), format, edges, size, pitch}, {bytes.data(), format, edges, size, pitch, allocator, none},
      {owner, format, edges, size},               {owner, format, edges, size, allocator, none},
      {owner, format, edges, size, pitch},        {owner, format, edges, size, pitch, allocator, none}};
  for (std::size_t k = 0; k < 8; ++k) {
    image_of_bytes &image = images[k];
    CHECK(image.get_range() == size && image.size() == 12);
    CHECK_EQUAL(image.get_pitch()[0], k % 4 < 2 ? 16 : 32);
    CHECK_EQUAL(image.byte_size(), k % 4 < 2 ? 48 : 96);
    const auto row = first_row<sycl::uint4>(queue, image);
    for (std::size_t i = 0; i < row.size(); ++i)
      CHECK(sycl::all(row[i] == sycl::uint4(0, 1, 2, 3) + static_cast<unsigned>(4 * i)));
    auto host = image.get_host_access<sycl::uint4>();
    CHECK_EQUAL(host.read(float2(1.5f, 2.0f))[1], 2 * image.get_pitch()[0] + 5);
    CHECK(owner.use_count() == 5); // this one, and those of four images
  }
  const image_of_bytes copy(images[0]);
  CHECK(copy == images[0] && copy != images[1]);
}

void check_formats(sycl::queue &queue) {
  const std::int16_t shorts[] = {-1, 2, -32768, 32767, 5, 6, 7, 8};
  sycl::sampled_image<2> of_shorts(shorts, image_format::r16g16b16a16_sint, smooth, sycl::range<2>(2, 1));
  const auto numbers = first_row<sycl::int4>(queue, of_shorts);
  CHECK(sycl::all(numbers[0] == sycl::int4(-1, 2, -32768, 32767)) && sycl::all(numbers[1] == sycl::int4(5, 6, 7, 8)));

  const std::uint8_t bytes[] = {255, 0, 51, 102};
  sycl::sampled_image<2> in_blue(bytes, image_format::b8g8r8a8_unorm, smooth, sycl::range<2>(1, 1));
  CHECK(sycl::all(first_row<float4>(queue, in_blue)[0] == float4(0.2f, 0.0f, 1.0f, 0.4f)));
  CHECK(sycl::all(first_row<sycl::half4>(queue, in_blue)[0] ==
                  sycl::half4(sycl::half(0.2f), sycl::half(0.0f), sycl::half(1.0f), sycl::half(0.4f))));

  const sycl::half halves[] = {sycl::half(0.5f), sycl::half(-2.0f), sycl::half(65504.0f), sycl::half(1.0f)};
  sycl::sampled_image<2> of_halves(halves, image_format::r16b16g16a16_sfloat, edges, sycl::range<2>(1, 1));
  CHECK(sycl::all(first_row<float4>(queue, of_halves)[0] == float4(0.5f, -2.0f, 65504.0f, 1.0f)));
}

// Many kernels read one image, while a host task reads it too.
void check_host_tasks(sycl::queue &queue) {
  const float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  sycl::sampled_image<1> image(values, image_format::r32g32b32a32_sfloat, smooth, sycl::range<1>(2));
  float sum = 0;
  queue.submit([&](sycl::handler &group) {
    auto pixels = image.get_access<float4, sycl::image_target::host_task>(group);
    group.host_task([=, &sum] { sum = pixels.read(1.0f)[0]; });
  });
  std::vector<float4> found(4);
  {
    sycl::buffer<float4> output(found);
    for (int k = 0; k < 4; ++k)
      queue.submit([&](sycl::handler &group) {
        auto pixels = image.get_access<const float4>(group);
        sycl::accessor out(output, group, sycl::range<1>(1), sycl::id<1>(static_cast<std::size_t>(k)));
        group.single_task([=] { out[0] = pixels.read(0.5f + 0.25f * static_cast<float>(k)); });
      });
  }
  for (std::size_t k = 0; k < 4; ++k)
    CHECK_EQUAL(found[k][3], 4.0f + static_cast<float>(k));
  queue.wait();
  CHECK_EQUAL(sum, 3.0f);
}

int main() {
  sycl::queue queue;
  check_constructors(queue);
  check_formats(queue);
  check_host_tasks(queue);
  return pass();
}
