// Reading an image at coordinates: addressing and filtering.
//
// In: an image in memory, coordinates, and the modes of a sampler. Out: a colour. The formulas are
// those of the OpenCL C specification ("Image addressing and filtering").
// *Invariant:* no memory outside of the image is touched, whatever the coordinates are: a read
// there gives the colour of the border, and a write does nothing.
#ifndef SYCL_DETAIL_SAMPLING_HPP
#define SYCL_DETAIL_SAMPLING_HPP

#include "../memory/sampler.hpp"
#include "pixels.hpp"

namespace sycl::detail {

// An image in memory. The first dimension is the fastest; the pitch of the others is in bytes.
template <int Dimensions> struct image_view {
  unsigned char *first = nullptr;
  sinter_specialized_pixels format;
  std::int32_t length[Dimensions] = {};
  std::size_t pitch[Dimensions] = {};

  friend bool operator==(const image_view &a, const image_view &b) noexcept {
    return a.first == b.first && a.format.bits == b.format.bits;
  }
  std::size_t size() const noexcept {
    std::size_t product = 1;
    for (int d = 0; d < Dimensions; ++d)
      product *= static_cast<std::size_t>(length[d]);
    return product;
  }
  // The view once its address is known.
  image_view at(void *address) const noexcept {
    image_view placed = *this;
    placed.first = static_cast<unsigned char *>(address);
    std::size_t bits = reinterpret_cast<std::uintptr_t>(address);
    for (int d = 1; d < Dimensions; ++d)
      bits |= pitch[d];
    if (format.channels() != 3 && bits % format.size() == 0)
      placed.format.bits |= sinter_specialized_pixels::aligned_bit;
    return placed;
  }
};

template <int Dimensions> struct pixel_index {
  std::int32_t at[Dimensions] = {};
};

template <int Dimensions>
bool is_inside(const image_view<Dimensions> &image, const pixel_index<Dimensions> &index) noexcept {
  bool inside = true;
  for (int d = 0; d < Dimensions; ++d)
    inside &= static_cast<std::uint32_t>(index.at[d]) < static_cast<std::uint32_t>(image.length[d]);
  return inside;
}
template <int Dimensions>
unsigned char *address_of(const image_view<Dimensions> &image, const pixel_index<Dimensions> &index) noexcept {
  std::size_t offset = static_cast<std::size_t>(index.at[0]) * image.format.size();
  for (int d = 1; d < Dimensions; ++d)
    offset += static_cast<std::size_t>(index.at[d]) * image.pitch[d];
  return image.first + offset;
}

template <class Number, int Dimensions>
vec<Number, 4> read_pixel(const image_view<Dimensions> &image, const pixel_index<Dimensions> &index) noexcept {
  if (!is_inside(image, index))
    return border_of<Number>(image.format);
  return load_pixel<Number>(address_of(image, index), image.format);
}
template <class Number, int Dimensions>
void write_pixel(const image_view<Dimensions> &image, const pixel_index<Dimensions> &index,
                 const vec<Number, 4> &colour) noexcept {
  if (is_inside(image, index))
    store_pixel(address_of(image, index), image.format, colour);
}

// The pixels of one dimension between which a coordinate lies, and the weight of the second one.
struct neighbours {
  std::int32_t low, high;
  float weight;
};


// The coordinate in pixels, of which repetition leaves those of the image.
inline float unnormalized(float coordinate, float length, sinter_specialized_sampler modes) noexcept {
  const bool is_normalized = modes.coordinate() == coordinate_normalization_mode::normalized;
  const float fraction = is_normalized ? coordinate : coordinate / length;
  switch (modes.addressing()) {
  case addressing_mode::repeat: return (fraction - floor(fraction)) * length;
  case addressing_mode::mirrored_repeat: return fabs(fraction - 2.0f * rint(0.5f * fraction)) * length;
  default: return is_normalized ? coordinate * length : coordinate;
  }
}

// The index that an address means. Only `clamp` leaves one outside of the image, for the border.
inline std::int32_t addressed(std::int32_t index, std::int32_t length, addressing_mode mode) noexcept {
  switch (mode) {
  case addressing_mode::clamp: return index;
  case addressing_mode::repeat:
    return bounded(index < 0 ? index + length : index >= length ? index - length : index, 0, length - 1);
  default: return bounded(index, 0, length - 1);
  }
}

// Beyond the two pixels next to the image every index means the same, so that the conversion to an
// integer is defined.
inline neighbours neighbours_of(float coordinate, std::int32_t length, sinter_specialized_sampler modes,
                                bool is_linear) noexcept {
  const float extent = static_cast<float>(length);
  const float position = unnormalized(coordinate, extent, modes) - (is_linear ? 0.5f : 0.0f);
  const float whole = floor(position), end = extent + 1.0f;
  const std::int32_t low = static_cast<std::int32_t>(whole > -2.0f ? (whole < end ? whole : end) : -2.0f);
  return {addressed(low, length, modes.addressing()), addressed(low + 1, length, modes.addressing()), position - whole};
}

// The pixel at an index that `addressed` gave.
template <class Number, int Dimensions>
vec<Number, 4> read_addressed(const image_view<Dimensions> &image, const pixel_index<Dimensions> &index,
                              addressing_mode mode) noexcept {
  return mode == addressing_mode::clamp ? read_pixel<Number>(image, index)
                                        : load_pixel<Number>(address_of(image, index), image.format);
}

// The weighted sum of the pixels around a point.
template <int Dimensions>
vec<float, 4> filtered(const image_view<Dimensions> &image, const neighbours (&around)[Dimensions],
                       addressing_mode mode) noexcept {
  vec<float, 4> sum(0.0f);
  for (int corner = 0; corner < (1 << Dimensions); ++corner) {
    pixel_index<Dimensions> index;
    float weight = 1.0f;
    for (int d = 0; d < Dimensions; ++d) {
      const bool is_high = (corner >> d & 1) != 0;
      index.at[d] = is_high ? around[d].high : around[d].low;
      weight *= is_high ? around[d].weight : 1.0f - around[d].weight;
    }
    const vec<float, 4> colour = read_addressed<float>(image, index, mode);
    for (int i = 0; i < 4; ++i)
      sum[i] += weight * colour[i];
  }
  return sum;
}

template <int Dimensions> struct sample_point {
  float at[Dimensions] = {};
};

// Integers are not filtered.
template <class Number, int Dimensions>
vec<Number, 4> sample(const image_view<Dimensions> &image, sinter_specialized_sampler modes,
                      const sample_point<Dimensions> &point) noexcept {
  constexpr bool can_filter = std::is_same_v<Number, float>;
  const bool is_linear = can_filter && modes.filtering() == filtering_mode::linear;
  neighbours around[Dimensions];
  for (int d = 0; d < Dimensions; ++d)
    around[d] = neighbours_of(point.at[d], image.length[d], modes, is_linear);
  if constexpr (can_filter)
    if (is_linear)
      return filtered(image, around, modes.addressing());
  pixel_index<Dimensions> nearest;
  for (int d = 0; d < Dimensions; ++d)
    nearest.at[d] = around[d].low;
  return read_addressed<Number>(image, nearest, modes.addressing());
}

// At integer coordinates, which are those of pixels.
template <class Number, int Dimensions>
vec<Number, 4> sample(const image_view<Dimensions> &image, sinter_specialized_sampler modes,
                      const pixel_index<Dimensions> &index) noexcept {
  const bool has_border = modes.addressing() == addressing_mode::clamp;
  pixel_index<Dimensions> nearest;
  for (int d = 0; d < Dimensions; ++d)
    nearest.at[d] = has_border ? index.at[d] : bounded(index.at[d], 0, image.length[d] - 1);
  return read_addressed<Number>(image, nearest, modes.addressing());
}

} // namespace sycl::detail

#endif
