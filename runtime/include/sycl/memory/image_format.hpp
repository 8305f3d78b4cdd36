// Formats of images: which channels a pixel has, and how they are stored.
//
// `image_format` is SYCL 2020's choice of formats; orders and types of channels are those of SYCL
// 1.2.1, and each format is one pair of them.
#ifndef SYCL_IMAGE_FORMAT_HPP
#define SYCL_IMAGE_FORMAT_HPP

#include "../detail/config.hpp"

namespace sycl {

enum class image_format : unsigned {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};

// An x is an alpha that only the colour outside of the image has.
enum class image_channel_order : unsigned {
  a,
  r,
  rx,
  rg,
  rgx,
  ra,
  rgb,
  rgbx,
  rgba,
  argb,
  bgra,
  intensity,
  luminance,
  abgr
};

enum class image_channel_type : unsigned {
  snorm_int8,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32
};

enum class image_target : unsigned { device, host_task };

} // namespace sycl

#endif
