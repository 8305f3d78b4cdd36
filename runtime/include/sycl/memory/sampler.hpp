// Samplers: how coordinates outside of an image, and between its pixels, are read.
//
// `image_sampler` is SYCL 2020's and belongs to a `sampled_image`; `sampler` is SYCL 1.2.1's, which
// a kernel captures and passes to each read.
#ifndef SYCL_SAMPLER_HPP
#define SYCL_SAMPLER_HPP

#include "../runtime/properties.hpp"

namespace sycl {

enum class addressing_mode : unsigned { mirrored_repeat, repeat, clamp_to_edge, clamp, none };
enum class filtering_mode : unsigned { nearest, linear };
enum class coordinate_normalization_mode : unsigned { normalized, unnormalized };

struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;
};

namespace detail {

// The modes of a sampler as one number. Kernels are compiled for it: stage 1 finds it by the name
// of this type.
struct sinter_specialized_sampler {
  std::uint32_t bits = 0;

  static constexpr sinter_specialized_sampler of(const image_sampler &modes) noexcept {
    return {static_cast<std::uint32_t>(modes.addressing) | static_cast<std::uint32_t>(modes.coordinate) << 3 |
            static_cast<std::uint32_t>(modes.filtering) << 4};
  }
  constexpr addressing_mode addressing() const noexcept { return static_cast<addressing_mode>(bits & 7); }
  constexpr coordinate_normalization_mode coordinate() const noexcept {
    return static_cast<coordinate_normalization_mode>(bits >> 3 & 1);
  }
  constexpr filtering_mode filtering() const noexcept { return static_cast<filtering_mode>(bits >> 4 & 1); }
};

} // namespace detail

class sampler {
public:
  sampler(coordinate_normalization_mode coordinate, addressing_mode addressing, filtering_mode filtering,
          const property_list & = {}) noexcept
      : modes(detail::sinter_specialized_sampler::of({addressing, coordinate, filtering})) {}

  addressing_mode get_addressing_mode() const noexcept { return modes.addressing(); }
  filtering_mode get_filtering_mode() const noexcept { return modes.filtering(); }
  coordinate_normalization_mode get_coordinate_normalization_mode() const noexcept { return modes.coordinate(); }

  friend bool operator==(const sampler &a, const sampler &b) noexcept { return a.modes.bits == b.modes.bits; }
  friend bool operator!=(const sampler &a, const sampler &b) noexcept { return !(a == b); }

  // For use by the other headers.
  detail::sinter_specialized_sampler sinter_modes() const noexcept { return modes; }

private:
  detail::sinter_specialized_sampler modes;
};

} // namespace sycl

template <> struct std::hash<sycl::sampler> {
  std::size_t operator()(const sycl::sampler &value) const noexcept { return value.sinter_modes().bits; }
};

#endif
