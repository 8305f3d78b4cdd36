// levels: 0 2
// Addressing and filtering in one to three dimensions, on the device and on the host, against the
// formulas of the standard in double precision.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <cmath>
#include <vector>

using sycl::addressing_mode;
using sycl::coordinate_normalization_mode;
using sycl::filtering_mode;
using sycl::float4;

constexpr int lengths[3] = {7, 5, 4};

float4 pixel_at(int x, int y, int z) {
  return {static_cast<float>(x * x), static_cast<float>(y) * 3.0f, static_cast<float>(z * x) - 2.0f, 1.0f + static_cast<float>(x + y)};
}

struct axis {
  int low, high;
  double weight;
};

int clamped(int index, int low, int high) { return index < low ? low : index > high ? high : index; }

axis axis_of(double coordinate, int length, const sycl::image_sampler &how) {
  const bool is_linear = how.filtering == filtering_mode::linear;
  const double shift = is_linear ? 0.5 : 0.0;
  double u = how.coordinate == coordinate_normalization_mode::normalized ? coordinate * length : coordinate;
  if (how.addressing == addressing_mode::repeat) {
    u = (coordinate - std::floor(coordinate)) * length;
    const int low = static_cast<int>(std::floor(u - shift));
    return {(low + length) % length, (low + 1 + length) % length, u - shift - low};
  }
  if (how.addressing == addressing_mode::mirrored_repeat) {
    u = std::fabs(coordinate - 2 * std::nearbyint(0.5 * coordinate)) * length;
    const int low = static_cast<int>(std::floor(u - shift));
    return {clamped(low, 0, length - 1), clamped(low + 1, 0, length - 1), u - shift - low};
  }
  const int low = static_cast<int>(std::floor(u - shift));
  const double weight = u - shift - low;
  if (how.addressing == addressing_mode::clamp)
    return {clamped(low, -1, length), clamped(low + 1, -1, length), weight};
  return {clamped(low, 0, length - 1), clamped(low + 1, 0, length - 1), weight};
}

// The expected colour; axes beyond the dimensions have one pixel.
void expected(const float *point, int dimensions, const sycl::image_sampler &how, double *colour) {
  axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int d = 0; d < dimensions; ++d)
    axes[d] = axis_of(static_cast<double>(point[d]), lengths[d], how);
  for (int c = 0; c < 4; ++c)
    colour[c] = 0;
  for (int corner = 0; corner < 8; ++corner) {
    int index[3];
    double weight = 1;
    bool is_inside = true;
    for (int d = 0; d < 3; ++d) {
      const bool is_high = (corner >> d & 1) != 0;
      index[d] = is_high ? axes[d].high : axes[d].low;
      const double share = how.filtering == filtering_mode::linear && d < dimensions ? axes[d].weight : 0.0;
      weight *= is_high ? share : 1 - share;
      is_inside = is_inside && index[d] >= 0 && (d >= dimensions || index[d] < lengths[d]);
    }
    if (is_inside && weight != 0)
      for (int c = 0; c < 4; ++c)
        colour[c] += weight * static_cast<double>(pixel_at(index[0], index[1], index[2])[c]);
  }
}

template <int Dimensions> auto coordinates(const float *point) {
  if constexpr (Dimensions == 1)
    return point[0];
  else if constexpr (Dimensions == 2)
    return sycl::float2(point[0], point[1]);
  else
    return float4(point[0], point[1], point[2], 0.0f);
}
template <int Dimensions> sycl::range<Dimensions> whole() {
  sycl::range<Dimensions> size;
  for (int d = 0; d < Dimensions; ++d)
    size[d] = static_cast<std::size_t>(lengths[d]);
  return size;
}

void compare(const float4 &found, const float *point, int dimensions, const sycl::image_sampler &how) {
  double colour[4];
  expected(point, dimensions, how, colour);
  for (int c = 0; c < 4; ++c) {
    const double difference = std::fabs(static_cast<double>(found[c]) - colour[c]);
    if (!(difference <= (how.filtering == filtering_mode::linear ? 1e-3 : 0.0))) {
      std::printf("%d dimensions, addressing %u, coordinates %u, filter %u, at %g %g %g: component %d is %g, not %g\n",
                  dimensions, static_cast<unsigned>(how.addressing), static_cast<unsigned>(how.coordinate),
                  static_cast<unsigned>(how.filtering), static_cast<double>(point[0]), static_cast<double>(point[1]),
                  static_cast<double>(point[2]), c, static_cast<double>(found[c]), colour[c]);
      std::exit(1);
    }
  }
}

// Points inside and outside, none of them where two pixels meet.
std::vector<float> points(int dimensions, const sycl::image_sampler &how) {
  std::vector<float> all;
  const bool is_normalized = how.coordinate == coordinate_normalization_mode::normalized;
  const bool is_inside = how.addressing == addressing_mode::none;
  for (int i = 0; i < 90; ++i)
    for (int d = 0; d < 3; ++d) {
      const float length = static_cast<float>(lengths[d]);
      const float share = static_cast<float>((i * (7 + 6 * d)) % 90) / 90.0f + 0.0037f;
      const float x = is_inside ? 0.51f + share * (length - 1.1f) : (share * 6.0f - 2.5f) * length;
      all.push_back(d >= dimensions ? 0.0f : is_normalized ? x / length : x);
    }
  return all;
}

template <int Dimensions> void check(sycl::queue &queue, const std::vector<float4> &pixels, const sycl::image_sampler &how) {
  sycl::sampled_image<Dimensions> image(pixels.data(), sycl::image_format::r32g32b32a32_sfloat, how, whole<Dimensions>());
  const std::vector<float> at = points(Dimensions, how);
  std::vector<float4> found(at.size() / 3);
  {
    sycl::buffer<float> input(at);
    sycl::buffer<float4> output(found);
    queue.submit([&](sycl::handler &group) {
      auto sampled = image.template get_access<float4>(group);
      sycl::accessor in(input, group, sycl::read_only);
      sycl::accessor out(output, group, sycl::write_only, sycl::no_init);
      group.parallel_for(output.get_range(), [=](sycl::id<1> i) {
        const float point[3] = {in[i[0] * 3], in[i[0] * 3 + 1], in[i[0] * 3 + 2]};
        out[i] = sampled.read(coordinates<Dimensions>(point));
      });
    });
  }
  sycl::host_sampled_image_accessor<float4, Dimensions> host(image);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const float *const point = &at[3 * i];
    compare(found[i], point, Dimensions, how);
    compare(host.read(coordinates<Dimensions>(point)), point, Dimensions, how);
  }
}

// Coordinates without a meaning touch no memory outside of the image.
void check_strange_coordinates(sycl::queue &queue, const std::vector<float4> &pixels) {
  for (addressing_mode mode : {addressing_mode::mirrored_repeat, addressing_mode::repeat, addressing_mode::clamp_to_edge,
                               addressing_mode::clamp, addressing_mode::none}) {
    const sycl::image_sampler how{mode, coordinate_normalization_mode::unnormalized, filtering_mode::linear};
    sycl::sampled_image<2> image(pixels.data(), sycl::image_format::r32g32b32a32_sfloat, how, whole<2>());
    float sum = 0;
    {
      sycl::buffer<float> output(&sum, sycl::range<1>(1));
      queue.submit([&](sycl::handler &group) {
        sycl::sampled_image_accessor<float4, 2> sampled(image, group);
        sycl::accessor out(output, group);
        group.single_task([=] {
          const float strange[] = {sycl::nan(0u), HUGE_VALF, -HUGE_VALF, 3e38f, -3e38f, 4.3e9f, -4.3e9f, 2147483648.0f};
          for (float x : strange)
            for (float y : strange)
              out[0] += sampled.read(sycl::float2(x, y))[0];
        });
      });
    }
  }
}

int main() {
  sycl::queue queue;
  std::vector<float4> pixels;
  for (int z = 0; z < lengths[2]; ++z)
    for (int y = 0; y < lengths[1]; ++y)
      for (int x = 0; x < lengths[0]; ++x)
        pixels.push_back(pixel_at(x, y, z));

  using normalization = coordinate_normalization_mode;
  for (filtering_mode filter : {filtering_mode::nearest, filtering_mode::linear}) {
    for (addressing_mode mode : {addressing_mode::mirrored_repeat, addressing_mode::repeat})
      check<2>(queue, pixels, {mode, normalization::normalized, filter});
    for (addressing_mode mode : {addressing_mode::clamp_to_edge, addressing_mode::clamp, addressing_mode::none})
      for (normalization kind : {normalization::normalized, normalization::unnormalized})
        check<2>(queue, pixels, {mode, kind, filter});
    check<1>(queue, pixels, {addressing_mode::mirrored_repeat, normalization::normalized, filter});
    check<1>(queue, pixels, {addressing_mode::clamp, normalization::unnormalized, filter});
    check<3>(queue, pixels, {addressing_mode::repeat, normalization::normalized, filter});
    check<3>(queue, pixels, {addressing_mode::clamp, normalization::normalized, filter});
    check<3>(queue, pixels, {addressing_mode::clamp_to_edge, normalization::unnormalized, filter});
  }
  check_strange_coordinates(queue, pixels);
  return pass();
}
