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
    return {static_cast<std::uint32_t>(type) | layout.count << 4 | layout.red << 7 | layout.green << 10 |
            layout.blue << 13 | layout.alpha << 16 | std::uint32_t(layout.has_opaque_border) << 19};
  }
  static constexpr std::uint32_t aligned_bit = 1u << 20;

  constexpr image_channel_type type() const noexcept { return static_cast<image_channel_type>(bits & 15); }
  constexpr std::uint32_t channels() const noexcept { return bits >> 4 & 7; }
  constexpr std::uint32_t place(int component) const noexcept { return bits >> (7 + 3 * component) & 7; }
  constexpr bool has_opaque_border() const noexcept { return (bits >> 19 & 1) != 0; }
  // All pixels are aligned, to their size or, with three channels, to that of a channel.
  constexpr bool is_aligned() const noexcept { return (bits & aligned_bit) != 0; }

  constexpr std::uint32_t size() const noexcept {
    return is_packed(type()) ? channel_size(type()) : channels() * channel_size(type());
  }
  constexpr std::uint32_t alignment() const noexcept {
    return channels() == 3 ? channel_size(type()) : size();
  }
};

template <class Channel> struct stored_channels {
  Channel value[4] = {};
};

// Moves `Count` adjacent channels as one.
template <int Count, class Channel> void load_as_one(stored_channels<Channel> &to, const void *at, bool is_aligned) {
  constexpr std::size_t size = Count * sizeof(Channel), alignment = Count == 3 ? sizeof(Channel) : size;
  if (is_aligned)
    __builtin_memcpy(to.value, __builtin_assume_aligned(at, alignment), size);
  else
    __builtin_memcpy(to.value, at, size);
}
template <int Count, class Channel> void store_as_one(void *at, const stored_channels<Channel> &from, bool is_aligned) {
  constexpr std::size_t size = Count * sizeof(Channel), alignment = Count == 3 ? sizeof(Channel) : size;
  if (is_aligned)
    __builtin_memcpy(__builtin_assume_aligned(at, alignment), from.value, size);
  else
    __builtin_memcpy(at, from.value, size);
}

template <class Channel>
stored_channels<Channel> load_channels(const void *at, sinter_specialized_pixels format) noexcept {
  stored_channels<Channel> result;
  switch (format.channels()) {
  case 1: load_as_one<1>(result, at, format.is_aligned()); break;
  case 2: load_as_one<2>(result, at, format.is_aligned()); break;
  case 3: load_as_one<3>(result, at, format.is_aligned()); break;
  default: load_as_one<4>(result, at, format.is_aligned());
  }
  return result;
}
template <class Channel>
void store_channels(void *at, sinter_specialized_pixels format, const stored_channels<Channel> &from) noexcept {
  switch (format.channels()) {
  case 1: store_as_one<1>(at, from, format.is_aligned()); break;
  case 2: store_as_one<2>(at, from, format.is_aligned()); break;
  case 3: store_as_one<3>(at, from, format.is_aligned()); break;
  default: store_as_one<4>(at, from, format.is_aligned());
  }
}

template <class Channel>
inline constexpr float largest_channel =
    static_cast<float>((1u << (8 * sizeof(Channel) - std::is_signed_v<Channel>)) - 1);

// value / largest, rounded to nearest: the product with the reciprocal, and one step of correction.
// Devices divide with different errors, and multiply with none.
inline float fraction_of(float value, float largest) noexcept {
  const float inverse = 1.0f / largest, quotient = value * inverse;
  return fma(fma(-quotient, largest, value), inverse, quotient);
}
template <class Channel> float to_real(Channel value) noexcept {
  const float fraction = fraction_of(static_cast<float>(value), largest_channel<Channel>);
  return fraction < -1.0f ? -1.0f : fraction;
}
inline float to_real(float value) noexcept { return value; }
inline float to_real(half value) noexcept { return value; }

// The nearest integer from `low` to `high`; 0 for NaN.
inline float nearest_within(float value, float low, float high) noexcept {
  const float bounded = value > low ? (value < high ? value : high) : (value <= low ? low : 0.0f);
  return rint(bounded);
}
template <class Channel> void set_channel(Channel &to, float value) noexcept {
  constexpr float largest = largest_channel<Channel>, least = std::is_signed_v<Channel> ? -largest - 1 : 0.0f;
  to = static_cast<Channel>(nearest_within(value * largest, least, largest));
}
inline void set_channel(float &to, float value) noexcept { to = value; }
inline void set_channel(half &to, float value) noexcept { to = half(value); }
template <class Channel, class Integer> Channel saturated(Integer value) noexcept {
  constexpr Channel largest = std::numeric_limits<Channel>::max(), least = std::numeric_limits<Channel>::min();
  return value < Integer(least) ? least : value > Integer(largest) ? largest : static_cast<Channel>(value);
}
template <class Channel> void set_channel(Channel &to, std::int32_t value) noexcept { to = saturated<Channel>(value); }
template <class Channel> void set_channel(Channel &to, std::uint32_t value) noexcept { to = saturated<Channel>(value); }

// A component of the colour. A chain of choices, because an index would need memory.
template <class Number> Number component_at(const vec<Number, 4> &stored, std::uint32_t place) noexcept {
  return place == 0 ? stored[0]
       : place == 1 ? stored[1]
       : place == 2 ? stored[2]
       : place == 3 ? stored[3]
                    : static_cast<Number>(place == always_one ? 1 : 0);
}
template <class Number>
vec<Number, 4> colour_of(const vec<Number, 4> &stored, sinter_specialized_pixels format) noexcept {
  vec<Number, 4> colour;
  for (int component = 0; component < 4; ++component)
    colour[component] = component_at(stored, format.place(component));
  return colour;
}
// The first component that a channel stores.
template <class Number>
Number channel_of(const vec<Number, 4> &colour, sinter_specialized_pixels format, std::uint32_t channel) noexcept {
  return format.place(0) == channel ? colour[0]
       : format.place(1) == channel ? colour[1]
       : format.place(2) == channel ? colour[2]
                                    : colour[3];
}

template <class Number, class Channel>
vec<Number, 4> load_numbers(const void *at, sinter_specialized_pixels format) noexcept {
  const stored_channels<Channel> stored = load_channels<Channel>(at, format);
  vec<Number, 4> numbers;
  for (int i = 0; i < 4; ++i) {
    if constexpr (std::is_same_v<Number, float>)
      numbers[i] = to_real(stored.value[i]);
    else
      numbers[i] = static_cast<Number>(stored.value[i]);
  }
  return numbers;
}
template <class Channel, class Number>
void store_numbers(void *at, sinter_specialized_pixels format, const vec<Number, 4> &colour) noexcept {
  stored_channels<Channel> stored;
  for (std::uint32_t i = 0; i < 4; ++i)
    set_channel(stored.value[i], channel_of(colour, format, i));
  store_channels(at, format, stored);
}

// Three channels in one number; `red`, `green` and `blue` are the numbers of their bits, from the
// most significant one on, behind unused bits.
template <class Word, unsigned Red, unsigned Green, unsigned Blue> struct packed_channels {
  static constexpr unsigned reds = (1u << Red) - 1, greens = (1u << Green) - 1, blues = (1u << Blue) - 1;

  static vec<float, 4> load(const void *at, sinter_specialized_pixels format) noexcept {
    stored_channels<Word> stored;
    load_as_one<1>(stored, at, format.is_aligned());
    const Word word = stored.value[0];
    return {fraction(word >> (Green + Blue) & reds, reds), fraction(word >> Blue & greens, greens),
            fraction(word & blues, blues), 0.0f};
  }
  static void store(void *at, sinter_specialized_pixels format, const vec<float, 4> &colour) noexcept {
    stored_channels<Word> stored;
    stored.value[0] = static_cast<Word>(bits(colour[0], reds) << (Green + Blue) | bits(colour[1], greens) << Blue |
                                        bits(colour[2], blues));
    store_as_one<1>(at, stored, format.is_aligned());
  }

private:
  static float fraction(unsigned value, unsigned largest) noexcept {
    return fraction_of(static_cast<float>(value), static_cast<float>(largest));
  }
  static unsigned bits(float value, unsigned largest) noexcept {
    return static_cast<unsigned>(nearest_within(value * static_cast<float>(largest), 0, static_cast<float>(largest)));
  }
};
using packed_565 = packed_channels<std::uint16_t, 5, 6, 5>;
using packed_555 = packed_channels<std::uint16_t, 5, 5, 5>;
using packed_101010 = packed_channels<std::uint32_t, 10, 10, 10>;

inline vec<float, 4> load_stored(const void *at, sinter_specialized_pixels format, float) noexcept {
  switch (format.type()) {
  case image_channel_type::snorm_int8: return load_numbers<float, std::int8_t>(at, format);
  case image_channel_type::snorm_int16: return load_numbers<float, std::int16_t>(at, format);
  case image_channel_type::unorm_int8: return load_numbers<float, std::uint8_t>(at, format);
  case image_channel_type::unorm_int16: return load_numbers<float, std::uint16_t>(at, format);
  case image_channel_type::unorm_short_565: return packed_565::load(at, format);
  case image_channel_type::unorm_short_555: return packed_555::load(at, format);
  case image_channel_type::unorm_int_101010: return packed_101010::load(at, format);
  case image_channel_type::fp16: return load_numbers<float, half>(at, format);
  default: return load_numbers<float, float>(at, format);
  }
}
inline vec<std::int32_t, 4> load_stored(const void *at, sinter_specialized_pixels format, std::int32_t) noexcept {
  switch (format.type()) {
  case image_channel_type::signed_int8: return load_numbers<std::int32_t, std::int8_t>(at, format);
  case image_channel_type::signed_int16: return load_numbers<std::int32_t, std::int16_t>(at, format);
  default: return load_numbers<std::int32_t, std::int32_t>(at, format);
  }
}
inline vec<std::uint32_t, 4> load_stored(const void *at, sinter_specialized_pixels format, std::uint32_t) noexcept {
  switch (format.type()) {
  case image_channel_type::unsigned_int8: return load_numbers<std::uint32_t, std::uint8_t>(at, format);
  case image_channel_type::unsigned_int16: return load_numbers<std::uint32_t, std::uint16_t>(at, format);
  default: return load_numbers<std::uint32_t, std::uint32_t>(at, format);
  }
}

template <class Number> vec<Number, 4> load_pixel(const void *at, sinter_specialized_pixels format) noexcept {
  return colour_of(load_stored(at, format, Number()), format);
}

inline void store_pixel(void *at, sinter_specialized_pixels format, const vec<float, 4> &colour) noexcept {
  switch (format.type()) {
  case image_channel_type::snorm_int8: return store_numbers<std::int8_t>(at, format, colour);
  case image_channel_type::snorm_int16: return store_numbers<std::int16_t>(at, format, colour);
  case image_channel_type::unorm_int8: return store_numbers<std::uint8_t>(at, format, colour);
  case image_channel_type::unorm_int16: return store_numbers<std::uint16_t>(at, format, colour);
  case image_channel_type::unorm_short_565: return packed_565::store(at, format, colour);
  case image_channel_type::unorm_short_555: return packed_555::store(at, format, colour);
  case image_channel_type::unorm_int_101010: return packed_101010::store(at, format, colour);
  case image_channel_type::fp16: return store_numbers<half>(at, format, colour);
  default: return store_numbers<float>(at, format, colour);
  }
}
inline void store_pixel(void *at, sinter_specialized_pixels format, const vec<std::int32_t, 4> &colour) noexcept {
  switch (format.type()) {
  case image_channel_type::signed_int8: return store_numbers<std::int8_t>(at, format, colour);
  case image_channel_type::signed_int16: return store_numbers<std::int16_t>(at, format, colour);
  default: return store_numbers<std::int32_t>(at, format, colour);
  }
}
inline void store_pixel(void *at, sinter_specialized_pixels format, const vec<std::uint32_t, 4> &colour) noexcept {
  switch (format.type()) {
  case image_channel_type::unsigned_int8: return store_numbers<std::uint8_t>(at, format, colour);
  case image_channel_type::unsigned_int16: return store_numbers<std::uint16_t>(at, format, colour);
  default: return store_numbers<std::uint32_t>(at, format, colour);
  }
}

// The colour outside of an image.
template <class Number> vec<Number, 4> border_of(sinter_specialized_pixels format) noexcept {
  return {Number(0), Number(0), Number(0), Number(format.has_opaque_border() ? 1 : 0)};
}

} // namespace sycl::detail

#endif
