// Reading and writing one pixel of any format.
//
// In: the address of a pixel and the description of its format. Out: red, green, blue and alpha, as
// float or as integers. The formulas are those of the OpenCL C specification ("Normalized integer
// channel data types", "Conversion rules for signed and unsigned integer channel data types").
// *Invariant:* the description is all that device code asks for, and kernels are compiled for its
// value, so that each switch below is decided by the translator.
#ifndef SYCL_DETAIL_PIXELS_HPP
#define SYCL_DETAIL_PIXELS_HPP

#include "../memory/image_format.hpp"
#include "../types/half.hpp"
#include "../types/vec.hpp"

namespace sycl::detail {

// Places of a colour's components among the stored channels; these two are not stored.
inline constexpr std::uint32_t always_zero = 4, always_one = 5;

struct channel_layout {
  std::uint32_t count, red, green, blue, alpha;
  bool has_opaque_border;
};

constexpr channel_layout layout_of(image_channel_order order) noexcept {
  constexpr std::uint32_t zero = always_zero, one = always_one;
  switch (order) {
  case image_channel_order::a: return {1, zero, zero, zero, 0, false};
  case image_channel_order::r: return {1, 0, zero, zero, one, true};
  case image_channel_order::rx: return {1, 0, zero, zero, one, false};
  case image_channel_order::rg: return {2, 0, 1, zero, one, true};
  case image_channel_order::rgx: return {2, 0, 1, zero, one, false};
  case image_channel_order::ra: return {2, 0, zero, zero, 1, false};
  case image_channel_order::rgb: return {3, 0, 1, 2, one, true};
  case image_channel_order::rgbx: return {3, 0, 1, 2, one, false};
  case image_channel_order::rgba: return {4, 0, 1, 2, 3, false};
  case image_channel_order::argb: return {4, 1, 2, 3, 0, false};
  case image_channel_order::bgra: return {4, 2, 1, 0, 3, false};
  case image_channel_order::intensity: return {1, 0, 0, 0, 0, false};
  case image_channel_order::luminance: return {1, 0, 0, 0, one, true};
  case image_channel_order::abgr: return {4, 3, 2, 1, 0, false};
  }
  return {};
}

// Bytes of a channel; of the whole pixel where channels share a number.
constexpr std::uint32_t channel_size(image_channel_type type) noexcept {
  switch (type) {
  case image_channel_type::snorm_int8:
  case image_channel_type::unorm_int8:
  case image_channel_type::signed_int8:
  case image_channel_type::unsigned_int8: return 1;
  case image_channel_type::unorm_int_101010:
  case image_channel_type::signed_int32:
  case image_channel_type::unsigned_int32:
  case image_channel_type::fp32: return 4;
  default: return 2;
  }
}
constexpr bool is_packed(image_channel_type type) noexcept {
  return type == image_channel_type::unorm_short_565 || type == image_channel_type::unorm_short_555 ||
         type == image_channel_type::unorm_int_101010;
}
constexpr bool is_signed_type(image_channel_type type) noexcept {
  return type == image_channel_type::signed_int8 || type == image_channel_type::signed_int16 ||
         type == image_channel_type::signed_int32;
}
constexpr bool is_unsigned_type(image_channel_type type) noexcept {
  return type == image_channel_type::unsigned_int8 || type == image_channel_type::unsigned_int16 ||
         type == image_channel_type::unsigned_int32;
}

// The description of a format as one number. Kernels are compiled for it: stage 1 finds it by the
// name of this type.
struct sinter_specialized_pixels {
  std::uint32_t bits = 0;

  static constexpr sinter_specialized_pixels of(image_channel_order order, image_channel_type type) noexcept {
    const channel_layout layout = layout_of(order);
    const std::uint32_t count = is_packed(type) ? 1 : layout.count;
    return {static_cast<std::uint32_t>(type) | count << 4 | layout.red << 7 | layout.green << 10 | layout.blue << 13 |
            layout.alpha << 16 | std::uint32_t(layout.has_opaque_border) << 19 | channel_size(type) << 21};
  }
  static constexpr std::uint32_t aligned_bit = 1u << 20;

  constexpr image_channel_type type() const noexcept { return static_cast<image_channel_type>(bits & 15); }
  // Numbers that are stored, and the bytes of each; channels that share a number are one.
  constexpr std::uint32_t channels() const noexcept { return bits >> 4 & 7; }
  constexpr std::uint32_t channel_bytes() const noexcept { return bits >> 21 & 7; }
  constexpr std::uint32_t place(int component) const noexcept { return bits >> (7 + 3 * component) & 7; }
  constexpr bool has_opaque_border() const noexcept { return (bits >> 19 & 1) != 0; }
  // All pixels are aligned to their size; three channels never count as such.
  constexpr bool is_aligned() const noexcept { return (bits & aligned_bit) != 0; }

  constexpr std::uint32_t size() const noexcept { return channels() * channel_bytes(); }
};

// The bits of the stored channels, as they are.
struct channel_bits {
  std::uint32_t value[4] = {};
};

// Moves `Count` adjacent channels as one. The address is a multiple of their size.
template <class Channel, int Count> void load_as_one(channel_bits &to, const void *at) noexcept {
  Channel channels[Count];
  __builtin_memcpy(channels, __builtin_assume_aligned(at, sizeof(channels)), sizeof(channels));
  for (int i = 0; i < Count; ++i)
    to.value[i] = channels[i];
}
template <class Channel, int Count> void store_as_one(void *at, const channel_bits &from) noexcept {
  Channel channels[Count];
  for (int i = 0; i < Count; ++i)
    channels[i] = static_cast<Channel>(from.value[i]);
  __builtin_memcpy(__builtin_assume_aligned(at, sizeof(channels)), channels, sizeof(channels));
}
template <class Channel> void load_aligned(channel_bits &to, const void *at, std::uint32_t count) noexcept {
  switch (count) {
  case 1: return load_as_one<Channel, 1>(to, at);
  case 2: return load_as_one<Channel, 2>(to, at);
  default: return load_as_one<Channel, 4>(to, at);
  }
}
template <class Channel> void store_aligned(void *at, const channel_bits &from, std::uint32_t count) noexcept {
  switch (count) {
  case 1: return store_as_one<Channel, 1>(at, from);
  case 2: return store_as_one<Channel, 2>(at, from);
  default: return store_as_one<Channel, 4>(at, from);
  }
}

// Moves bytes, the lowest one first. Copies of channels would be merged with those of an aligned
// pixel, and take its alignment away, before the translator knows which ones a kernel needs.
inline void load_bytes(channel_bits &to, const void *at, sinter_specialized_pixels format) noexcept {
  const auto *next = static_cast<const unsigned char *>(at);
  for (std::uint32_t channel = 0; channel < format.channels(); ++channel)
    for (std::uint32_t byte = 0; byte < format.channel_bytes(); ++byte, ++next)
      to.value[channel] |= static_cast<std::uint32_t>(*next) << (8 * byte);
}
inline void store_bytes(void *at, const channel_bits &from, sinter_specialized_pixels format) noexcept {
  auto *next = static_cast<unsigned char *>(at);
  for (std::uint32_t channel = 0; channel < format.channels(); ++channel)
    for (std::uint32_t byte = 0; byte < format.channel_bytes(); ++byte, ++next)
      *next = static_cast<unsigned char>(from.value[channel] >> (8 * byte));
}

inline channel_bits load_bits(const void *at, sinter_specialized_pixels format) noexcept {
  channel_bits result;
  if (!format.is_aligned())
    load_bytes(result, at, format);
  else if (format.channel_bytes() == 1)
    load_aligned<std::uint8_t>(result, at, format.channels());
  else if (format.channel_bytes() == 2)
    load_aligned<std::uint16_t>(result, at, format.channels());
  else
    load_aligned<std::uint32_t>(result, at, format.channels());
  return result;
}
inline void store_bits(void *at, const channel_bits &from, sinter_specialized_pixels format) noexcept {
  if (!format.is_aligned())
    store_bytes(at, from, format);
  else if (format.channel_bytes() == 1)
    store_aligned<std::uint8_t>(at, from, format.channels());
  else if (format.channel_bytes() == 2)
    store_aligned<std::uint16_t>(at, from, format.channels());
  else
    store_aligned<std::uint32_t>(at, from, format.channels());
}

// value / largest, rounded to nearest: the product with the reciprocal, and one step of correction.
// Devices divide with different errors, and multiply with none.
inline float fraction_of(float value, float largest) noexcept {
  const float inverse = 1.0f / largest, quotient = value * inverse;
  return fma(fma(-quotient, largest, value), inverse, quotient);
}
inline float signed_fraction_of(float value, float largest) noexcept {
  const float fraction = fraction_of(value, largest);
  return fraction < -1.0f ? -1.0f : fraction;
}
// The nearest integer from `least` to `largest`; 0 for NaN.
inline std::uint32_t code_of(float value, float least, float largest) noexcept {
  const float scaled = value * largest;
  const float bounded = scaled > least ? (scaled < largest ? scaled : largest) : (scaled <= least ? least : 0.0f);
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(rint(bounded)));
}

inline float to_real(std::uint32_t bits, image_channel_type type) noexcept {
  switch (type) {
  case image_channel_type::snorm_int8: return signed_fraction_of(static_cast<std::int8_t>(bits), 127.0f);
  case image_channel_type::snorm_int16: return signed_fraction_of(static_cast<std::int16_t>(bits), 32767.0f);
  case image_channel_type::unorm_int8: return fraction_of(static_cast<float>(bits), 255.0f);
  case image_channel_type::unorm_int16: return fraction_of(static_cast<float>(bits), 65535.0f);
  case image_channel_type::fp16: return bit_cast<half>(static_cast<std::uint16_t>(bits));
  default: return bit_cast<float>(bits);
  }
}
inline std::uint32_t to_bits(float value, image_channel_type type) noexcept {
  switch (type) {
  case image_channel_type::snorm_int8: return code_of(value, -128.0f, 127.0f);
  case image_channel_type::snorm_int16: return code_of(value, -32768.0f, 32767.0f);
  case image_channel_type::unorm_int8: return code_of(value, 0.0f, 255.0f);
  case image_channel_type::unorm_int16: return code_of(value, 0.0f, 65535.0f);
  case image_channel_type::fp16: return bit_cast<std::uint16_t>(half(value));
  default: return bit_cast<std::uint32_t>(value);
  }
}

// Red, green and blue in one number, from its most significant used bit on.
struct packed_field {
  std::uint32_t shift, largest;
};
inline packed_field field_of(image_channel_type type, int component) noexcept {
  const std::uint32_t behind = component < 2 ? 2 - static_cast<std::uint32_t>(component) : 0;
  switch (type) {
  case image_channel_type::unorm_int_101010: return {10 * behind, 1023};
  case image_channel_type::unorm_short_555: return {5 * behind, 31};
  default: return {5 * behind + (component == 0 ? 1u : 0u), component == 1 ? 63u : 31u};
  }
}
inline float unpacked(std::uint32_t word, packed_field field) noexcept {
  return fraction_of(static_cast<float>(word >> field.shift & field.largest), static_cast<float>(field.largest));
}
inline std::uint32_t packed(const vec<float, 4> &colour, image_channel_type type) noexcept {
  std::uint32_t word = 0;
  for (int i = 0; i < 3; ++i) {
    const packed_field field = field_of(type, i);
    word |= code_of(colour[i], 0.0f, static_cast<float>(field.largest)) << field.shift;
  }
  return word;
}

template <class Number> Number bounded(Number value, Number least, Number largest) noexcept {
  return value < least ? least : value > largest ? largest : value;
}

// The channels of a pixel as numbers, and back.
inline void unpack(vec<float, 4> &numbers, const channel_bits &stored, image_channel_type type) noexcept {
  for (int i = 0; i < 4; ++i)
    numbers[i] = is_packed(type) ? unpacked(stored.value[0], field_of(type, i)) : to_real(stored.value[i], type);
}
inline void unpack(vec<std::int32_t, 4> &numbers, const channel_bits &stored, image_channel_type type) noexcept {
  const int unused = type == image_channel_type::signed_int8 ? 24 : type == image_channel_type::signed_int16 ? 16 : 0;
  for (int i = 0; i < 4; ++i)
    numbers[i] = static_cast<std::int32_t>(stored.value[i] << unused) >> unused;
}
inline void unpack(vec<std::uint32_t, 4> &numbers, const channel_bits &stored, image_channel_type) noexcept {
  for (int i = 0; i < 4; ++i)
    numbers[i] = stored.value[i];
}
inline channel_bits pack(const vec<float, 4> &numbers, image_channel_type type) noexcept {
  channel_bits result;
  if (is_packed(type)) {
    result.value[0] = packed(numbers, type);
    return result;
  }
  for (int i = 0; i < 4; ++i)
    result.value[i] = to_bits(numbers[i], type);
  return result;
}
inline channel_bits pack(const vec<std::int32_t, 4> &numbers, image_channel_type type) noexcept {
  const std::int32_t largest = type == image_channel_type::signed_int8    ? INT8_MAX
                               : type == image_channel_type::signed_int16 ? INT16_MAX
                                                                          : INT32_MAX;
  channel_bits result;
  for (int i = 0; i < 4; ++i)
    result.value[i] = static_cast<std::uint32_t>(bounded(numbers[i], -largest - 1, largest));
  return result;
}
inline channel_bits pack(const vec<std::uint32_t, 4> &numbers, image_channel_type type) noexcept {
  const std::uint32_t largest = type == image_channel_type::unsigned_int8    ? UINT8_MAX
                                : type == image_channel_type::unsigned_int16 ? UINT16_MAX
                                                                             : UINT32_MAX;
  channel_bits result;
  for (int i = 0; i < 4; ++i)
    result.value[i] = bounded(numbers[i], 0u, largest);
  return result;
}

// The number at a place. A chain of choices, because an index would need memory.
template <class Number> Number number_at(const vec<Number, 4> &stored, std::uint32_t place) noexcept {
  return place == 0 ? stored[0]
       : place == 1 ? stored[1]
       : place == 2 ? stored[2]
       : place == 3 ? stored[3]
                    : static_cast<Number>(place == always_one ? 1 : 0);
}
// The first component that a channel stores.
template <class Number>
Number component_at(const vec<Number, 4> &colour, sinter_specialized_pixels format, std::uint32_t channel) noexcept {
  return format.place(0) == channel ? colour[0]
       : format.place(1) == channel ? colour[1]
       : format.place(2) == channel ? colour[2]
                                    : colour[3];
}

template <class Number> vec<Number, 4> load_pixel(const void *at, sinter_specialized_pixels format) noexcept {
  vec<Number, 4> stored, colour;
  unpack(stored, load_bits(at, format), format.type());
  for (int component = 0; component < 4; ++component)
    colour[component] = number_at(stored, format.place(component));
  return colour;
}
template <class Number>
void store_pixel(void *at, sinter_specialized_pixels format, const vec<Number, 4> &colour) noexcept {
  vec<Number, 4> stored;
  for (std::uint32_t channel = 0; channel < 4; ++channel)
    stored[static_cast<int>(channel)] = component_at(colour, format, channel);
  store_bits(at, pack(stored, format.type()), format);
}

// The colour outside of an image.
template <class Number> vec<Number, 4> border_of(sinter_specialized_pixels format) noexcept {
  return {Number(0), Number(0), Number(0), Number(format.has_opaque_border() ? 1 : 0)};
}

} // namespace sycl::detail

#endif
