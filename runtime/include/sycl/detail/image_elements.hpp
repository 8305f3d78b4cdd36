// The data types and coordinates with which programs read images.
//
// In: int4, uint4, float4 or half4, and coordinates of a program. Out: the numbers that pixels are
// read as, and indices or points. *Invariant:* a type that the standard does not name does not
// compile; a data type that the format of the image has not is an error of the accessor's
// constructor.
#ifndef SYCL_DETAIL_IMAGE_ELEMENTS_HPP
#define SYCL_DETAIL_IMAGE_ELEMENTS_HPP

#include "sampling.hpp"

namespace sycl::detail {

// The numbers of a data type; void for a type that images do not have.
template <class Data> struct image_data { using number = void; };
template <> struct image_data<vec<std::int32_t, 4>> { using number = std::int32_t; };
template <> struct image_data<vec<std::uint32_t, 4>> { using number = std::uint32_t; };
template <> struct image_data<vec<float, 4>> { using number = float; };
template <> struct image_data<vec<half, 4>> { using number = float; };
template <class Data> using image_number = typename image_data<std::remove_const_t<Data>>::number;
template <class Data> inline constexpr bool is_image_data = !std::is_void_v<image_number<Data>>;

template <class Data, class Number> Data as_data(const vec<Number, 4> &numbers) noexcept {
  if constexpr (std::is_same_v<Data, vec<Number, 4>>)
    return numbers;
  else
    return {half(numbers[0]), half(numbers[1]), half(numbers[2]), half(numbers[3])};
}
template <class Number> const vec<Number, 4> &as_numbers(const vec<Number, 4> &colour) noexcept { return colour; }
inline vec<float, 4> as_numbers(const vec<half, 4> &colour) noexcept {
  return {float(colour[0]), float(colour[1]), float(colour[2]), float(colour[3])};
}

[[noreturn]] __attribute__((noinline, cold)) inline void wrong_elements(const char *given, const char *right) {
  raise(errc::invalid, std::string("an accessor of ") + given + " does not fit the format of the image, which has " +
                           right);
}
template <class Data> void check_elements(sinter_specialized_pixels format) {
  using number = image_number<Data>;
  const bool is_signed = is_signed_type(format.type()), is_unsigned = is_unsigned_type(format.type());
  const char *const right = is_signed ? "sycl::int4" : is_unsigned ? "sycl::uint4" : "sycl::float4 or sycl::half4";
  if (std::is_same_v<number, std::int32_t> ? is_signed
      : std::is_same_v<number, std::uint32_t> ? is_unsigned
                                              : !is_signed && !is_unsigned)
    return;
  wrong_elements(std::is_same_v<number, std::int32_t>    ? "sycl::int4"
                 : std::is_same_v<number, std::uint32_t> ? "sycl::uint4"
                                                         : "sycl::float4 or sycl::half4",
                 right);
}

// Element type of coordinates, if they have as many as an image of these dimensions takes: one,
// two, or four of which the last counts for nothing.
template <class Coordinates, int Dimensions, bool = has_shape<Coordinates>> struct coordinates {
  using element = std::conditional_t<Dimensions == 1 && std::is_arithmetic_v<Coordinates>, Coordinates, void>;
};
template <class Coordinates, int Dimensions> struct coordinates<Coordinates, Dimensions, true> {
  static constexpr int count = Dimensions == 3 ? 4 : Dimensions;
  using element = std::conditional_t<shape<Coordinates>::count == count && shape<Coordinates>::is_vec,
                                     shape_element<Coordinates>, void>;
};
template <class Coordinates, int Dimensions>
inline constexpr bool is_integer_point = std::is_integral_v<typename coordinates<Coordinates, Dimensions>::element>;
template <class Coordinates, int Dimensions>
inline constexpr bool is_real_point = std::is_floating_point_v<typename coordinates<Coordinates, Dimensions>::element>;

template <class Place, class Number, int Dimensions, class Coordinates>
Place place_of(const Coordinates &at) noexcept {
  Place place;
  if constexpr (has_shape<Coordinates>) {
    const plain_of<Coordinates> all = at;
    for (int d = 0; d < Dimensions; ++d)
      place.at[d] = static_cast<Number>(all[d]);
  } else {
    place.at[0] = static_cast<Number>(at);
  }
  return place;
}
template <int Dimensions, class Coordinates> pixel_index<Dimensions> index_of(const Coordinates &at) noexcept {
  static_assert(is_integer_point<Coordinates, Dimensions>,
                "a pixel of an image of one, two or three dimensions is at an int, an int2 or an int4");
  return place_of<pixel_index<Dimensions>, std::int32_t, Dimensions>(at);
}
template <int Dimensions, class Coordinates> sample_point<Dimensions> point_of(const Coordinates &at) noexcept {
  static_assert(is_real_point<Coordinates, Dimensions>,
                "an image of one, two or three dimensions is sampled at a float, a float2 or a float4");
  return place_of<sample_point<Dimensions>, float, Dimensions>(at);
}

} // namespace sycl::detail

#endif
