// sampled_image and unsampled_image: pixels that commands of all devices and the host use by turns.
//
// An image is a buffer of bytes: its copies, the order of commands and the transfers are those of
// buffers. Reading, writing and sampling is code of the headers, the same on every device. The
// memory that an image is made with is its memory on the host, unless it is const.
#ifndef SYCL_IMAGE_TYPES_HPP
#define SYCL_IMAGE_TYPES_HPP

#include "../detail/image_base.hpp"

namespace sycl {
namespace detail {

constexpr sinter_specialized_pixels pixels_of(image_format format) noexcept {
  constexpr image_channel_order order = image_channel_order::rgba;
  using type = image_channel_type;
  switch (format) {
  case image_format::r8g8b8a8_unorm: return sinter_specialized_pixels::of(order, type::unorm_int8);
  case image_format::r16g16b16a16_unorm: return sinter_specialized_pixels::of(order, type::unorm_int16);
  case image_format::r8g8b8a8_sint: return sinter_specialized_pixels::of(order, type::signed_int8);
  case image_format::r16g16b16a16_sint: return sinter_specialized_pixels::of(order, type::signed_int16);
  case image_format::r32b32g32a32_sint: return sinter_specialized_pixels::of(order, type::signed_int32);
  case image_format::r8g8b8a8_uint: return sinter_specialized_pixels::of(order, type::unsigned_int8);
  case image_format::r16g16b16a16_uint: return sinter_specialized_pixels::of(order, type::unsigned_int16);
  case image_format::r32b32g32a32_uint: return sinter_specialized_pixels::of(order, type::unsigned_int32);
  case image_format::r16b16g16a16_sfloat: return sinter_specialized_pixels::of(order, type::fp16);
  case image_format::r32g32b32a32_sfloat: return sinter_specialized_pixels::of(order, type::fp32);
  case image_format::b8g8r8a8_unorm:
    return sinter_specialized_pixels::of(image_channel_order::bgra, type::unorm_int8);
  }
  return {};
}

} // namespace detail

template <int Dimensions, class Allocator> class sampled_image : public detail::image_base<Dimensions, Allocator> {
  using base = detail::image_base<Dimensions, Allocator>;
  using extent = range<Dimensions>;
  using properties = const property_list &;
  using owner = const std::shared_ptr<const void> &;

public:
  sampled_image(const void *host, image_format format, image_sampler how, const extent &size, properties list = {})
      : sampled_image(host, format, how, size, Allocator(), list) {}
  sampled_image(const void *host, image_format format, image_sampler how, const extent &size, Allocator chosen,
                properties list = {})
      : base(detail::pixels_of(format), size, chosen, list), modes(detail::sinter_specialized_sampler::of(how)) {
    this->create(host, SINTER_BUFFER_READ_ONLY);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  sampled_image(const void *host, image_format format, image_sampler how, const extent &size,
                const range<Dims - 1> &pitch, properties list = {})
      : sampled_image(host, format, how, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  sampled_image(const void *host, image_format format, image_sampler how, const extent &size,
                const range<Dims - 1> &pitch, Allocator chosen, properties list = {})
      : base(detail::pixels_of(format), size, pitch, chosen, list), modes(detail::sinter_specialized_sampler::of(how)) {
    this->create(host, SINTER_BUFFER_READ_ONLY);
  }

  sampled_image(owner host, image_format format, image_sampler how, const extent &size, properties list = {})
      : sampled_image(host, format, how, size, Allocator(), list) {}
  sampled_image(owner host, image_format format, image_sampler how, const extent &size, Allocator chosen,
                properties list = {})
      : sampled_image(host.get(), format, how, size, chosen, list) {
    this->keep(host);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  sampled_image(owner host, image_format format, image_sampler how, const extent &size, const range<Dims - 1> &pitch,
                properties list = {})
      : sampled_image(host, format, how, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  sampled_image(owner host, image_format format, image_sampler how, const extent &size, const range<Dims - 1> &pitch,
                Allocator chosen, properties list = {})
      : sampled_image(host.get(), format, how, size, pitch, chosen, list) {
    this->keep(host);
  }

  template <class Data, image_target Target = image_target::device>
  sampled_image_accessor<Data, Dimensions, Target> get_access(handler &group, properties list = {}) {
    return {*this, group, list};
  }
  template <class Data> host_sampled_image_accessor<Data, Dimensions> get_host_access(properties list = {}) {
    return {*this, list};
  }

  friend bool operator==(const sampled_image &a, const sampled_image &b) noexcept { return a.is_same(b); }
  friend bool operator!=(const sampled_image &a, const sampled_image &b) noexcept { return !a.is_same(b); }

  // For use by the other headers.
  detail::sinter_specialized_sampler sinter_modes() const noexcept { return modes; }

private:
  detail::sinter_specialized_sampler modes;
};

template <int Dimensions, class Allocator> class unsampled_image : public detail::image_base<Dimensions, Allocator> {
  using base = detail::image_base<Dimensions, Allocator>;
  using extent = range<Dimensions>;
  using properties = const property_list &;
  using owner = const std::shared_ptr<void> &;

public:
  unsampled_image(image_format format, const extent &size, properties list = {})
      : unsampled_image(nullptr, format, size, Allocator(), list) {}
  unsampled_image(image_format format, const extent &size, Allocator chosen, properties list = {})
      : unsampled_image(nullptr, format, size, chosen, list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  unsampled_image(image_format format, const extent &size, const range<Dims - 1> &pitch, properties list = {})
      : unsampled_image(nullptr, format, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  unsampled_image(image_format format, const extent &size, const range<Dims - 1> &pitch, Allocator chosen,
                  properties list = {})
      : unsampled_image(nullptr, format, size, pitch, chosen, list) {}

  unsampled_image(void *host, image_format format, const extent &size, properties list = {})
      : unsampled_image(host, format, size, Allocator(), list) {}
  unsampled_image(void *host, image_format format, const extent &size, Allocator chosen, properties list = {})
      : base(detail::pixels_of(format), size, chosen, list) {
    this->create_writable(host);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  unsampled_image(void *host, image_format format, const extent &size, const range<Dims - 1> &pitch,
                  properties list = {})
      : unsampled_image(host, format, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  unsampled_image(void *host, image_format format, const extent &size, const range<Dims - 1> &pitch, Allocator chosen,
                  properties list = {})
      : base(detail::pixels_of(format), size, pitch, chosen, list) {
    this->create_writable(host);
  }

  unsampled_image(owner host, image_format format, const extent &size, properties list = {})
      : unsampled_image(host, format, size, Allocator(), list) {}
  unsampled_image(owner host, image_format format, const extent &size, Allocator chosen, properties list = {})
      : unsampled_image(host.get(), format, size, chosen, list) {
    this->keep(host);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  unsampled_image(owner host, image_format format, const extent &size, const range<Dims - 1> &pitch,
                  properties list = {})
      : unsampled_image(host, format, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  unsampled_image(owner host, image_format format, const extent &size, const range<Dims - 1> &pitch, Allocator chosen,
                  properties list = {})
      : unsampled_image(host.get(), format, size, pitch, chosen, list) {
    this->keep(host);
  }

  template <class Data, access_mode Mode = std::is_const_v<Data> ? access_mode::read : access_mode::read_write,
            image_target Target = image_target::device>
  unsampled_image_accessor<Data, Dimensions, Mode, Target> get_access(handler &group, properties list = {}) {
    return {*this, group, list};
  }
  template <class Data, access_mode Mode = std::is_const_v<Data> ? access_mode::read : access_mode::read_write>
  host_unsampled_image_accessor<Data, Dimensions, Mode> get_host_access(properties list = {}) {
    return {*this, list};
  }

  // Where the contents go at the end: memory, an owner of memory, an output iterator, or nowhere.
  template <class Destination = std::nullptr_t> void set_final_data(Destination to = nullptr) {
    this->deliver_to(to);
  }
  void set_write_back(bool wanted = true) { this->write_back(wanted); }

  friend bool operator==(const unsampled_image &a, const unsampled_image &b) noexcept { return a.is_same(b); }
  friend bool operator!=(const unsampled_image &a, const unsampled_image &b) noexcept { return !a.is_same(b); }
};

} // namespace sycl

template <int Dimensions, class Allocator> struct std::hash<sycl::sampled_image<Dimensions, Allocator>> {
  std::size_t operator()(const sycl::sampled_image<Dimensions, Allocator> &value) const noexcept {
    return value.sinter_hash();
  }
};
template <int Dimensions, class Allocator> struct std::hash<sycl::unsampled_image<Dimensions, Allocator>> {
  std::size_t operator()(const sycl::unsampled_image<Dimensions, Allocator> &value) const noexcept {
    return value.sinter_hash();
  }
};

#endif
