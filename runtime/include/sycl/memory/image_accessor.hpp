// Accessors to `sampled_image` and `unsampled_image`: use of an image by a command or by the host.
//
// A kernel uses the view of the image, and is compiled for the image's format and sampler. Reading
// outside of an unsampled image gives its border colour, writing there does nothing.
#ifndef SYCL_IMAGE_ACCESSOR_HPP
#define SYCL_IMAGE_ACCESSOR_HPP

#include "../detail/image_elements.hpp"
#include "../runtime/handler.hpp"
#include "host_accessor.hpp"

#include <memory>

namespace sycl {

using image_allocator = std::allocator<byte>;

template <int Dimensions = 1, class Allocator = image_allocator> class image;
template <int Dimensions = 1, class Allocator = image_allocator> class sampled_image;
template <int Dimensions = 1, class Allocator = image_allocator> class unsampled_image;

namespace detail {

// The whole of an image, as a command group requires it.
struct image_place {
  buffer_state *owner;
  void *first = nullptr;
  sinter_box box() const noexcept { return {0, owner->size(), 1, 1, 0, 0}; }
  std::size_t offset() const noexcept { return 0; }
};

// The view of an image for the command of a command group.
template <class Image> auto required_view(Image &image, handler &group, std::uint32_t access) {
  return image.sinter_view().at(group.sinter_require(image_place{image.sinter_state()}, access));
}
// The view of an image for the host.
template <class Image> auto held_view(Image &image, std::uint32_t access, shared<host_hold> &held) {
  held = shared<host_hold>::adopt(
      new host_hold(image.sinter_state(), access, image_place{image.sinter_state()}.box()));
  return image.sinter_view().at(held->address());
}

constexpr std::uint32_t bits_of(image_target target) noexcept {
  return target == image_target::host_task ? SINTER_ACCESS_HOST : 0u;
}

// A base of accessors for host tasks, which makes them unfit for kernels: it has a destructor.
template <image_target Target> struct used_by {};
template <> struct used_by<image_target::host_task> {
  used_by() noexcept = default;
  used_by(const used_by &) noexcept {}
  used_by &operator=(const used_by &) noexcept { return *this; }
  ~used_by() {}
};

// The members that all accessors to images have.
template <class Accessor, class Data, int Dimensions, bool IsReadOnly> class image_interface {
  static_assert(is_image_data<Data>, "an accessor to an image reads and writes sycl::int4, uint4, float4 or half4");

public:
  using value_type = std::conditional_t<IsReadOnly, const Data, Data>;
  using reference = value_type &;
  using const_reference = const Data &;
  static constexpr int dimensions = Dimensions;

  std::size_t size() const noexcept { return view.size(); }
  template <class Property> bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && gives_up;
  }
  template <class Property> Property get_property() const {
    if (!has_property<Property>())
      raise(errc::invalid, "the accessor does not have the property");
    return {};
  }

  friend bool operator==(const Accessor &a, const Accessor &b) noexcept { return a.sinter_view() == b.sinter_view(); }
  friend bool operator!=(const Accessor &a, const Accessor &b) noexcept { return !(a == b); }

  // For use by the other headers.
  const image_view<Dimensions> &sinter_view() const noexcept { return view; }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(view.first) * 31 + size(); }

protected:
  // Before the image is used: it must hold elements of this kind.
  image_interface(const image_view<Dimensions> &unplaced, access_mode mode, const property_list &list)
      : view(unplaced), gives_up(list.has_property<property::no_init>()) {
    if (gives_up && mode == access_mode::read)
      raise(errc::invalid, "an accessor that only reads cannot have property::no_init");
    check_elements<Data>(view.format);
  }
  template <class Another, class Other, bool Reads>
  explicit image_interface(const image_interface<Another, Other, Dimensions, Reads> &other) noexcept
      : view(other.sinter_view()) {}

  image_view<Dimensions> view;
  bool gives_up = false;
};

template <access_mode Mode>
inline constexpr bool can_read = Mode == access_mode::read || Mode == access_mode::read_write;
template <access_mode Mode> inline constexpr bool can_write = Mode != access_mode::read && Mode != access_mode::atomic;

// Members of accessors to unsampled images.
template <class Accessor, class Data, int Dimensions, access_mode Mode>
class unsampled_interface : public image_interface<Accessor, Data, Dimensions, Mode == access_mode::read> {
  using base = image_interface<Accessor, Data, Dimensions, Mode == access_mode::read>;
  using plain = std::remove_const_t<Data>;

public:
  static constexpr access_mode mode = Mode;

  template <class Coordinates, access_mode Own = Mode, enable_if<can_read<Own>> = 0>
  plain read(const Coordinates &at) const noexcept {
    return as_data<plain>(read_pixel<image_number<Data>>(this->view, index_of<Dimensions>(at)));
  }
  template <class Coordinates, access_mode Own = Mode, enable_if<can_write<Own>> = 0>
  void write(const Coordinates &at, const plain &colour) const noexcept {
    write_pixel(this->view, index_of<Dimensions>(at), as_numbers(colour));
  }

protected:
  using base::base;
};

// Members of accessors to sampled images.
template <class Accessor, class Data, int Dimensions>
class sampled_interface : public image_interface<Accessor, Data, Dimensions, true> {
  using base = image_interface<Accessor, Data, Dimensions, true>;
  using plain = std::remove_const_t<Data>;

public:
  template <class Coordinates> plain read(const Coordinates &at) const noexcept {
    return as_data<plain>(sample<image_number<Data>>(this->view, modes, point_of<Dimensions>(at)));
  }

  // For use by the other headers.
  sinter_specialized_sampler sinter_modes() const noexcept { return modes; }

protected:
  sampled_interface(const image_view<Dimensions> &unplaced, sinter_specialized_sampler chosen)
      : base(unplaced, access_mode::read, {}), modes(chosen) {}
  template <class Another, class Other>
  explicit sampled_interface(const sampled_interface<Another, Other, Dimensions> &other) noexcept
      : base(other), modes(other.sinter_modes()) {}

  sinter_specialized_sampler modes;
};

// Data types that differ in const only.
template <class Data, class Other>
inline constexpr bool differ_in_const = !std::is_same_v<Data, Other> &&
                                        std::is_same_v<std::remove_const_t<Data>, std::remove_const_t<Other>>;

} // namespace detail

template <class Data, int Dimensions, access_mode Mode, image_target Target = image_target::device>
class unsampled_image_accessor
    : public detail::unsampled_interface<unsampled_image_accessor<Data, Dimensions, Mode, Target>, Data, Dimensions,
                                         Mode>,
      detail::used_by<Target> {
  using base = detail::unsampled_interface<unsampled_image_accessor, Data, Dimensions, Mode>;

public:
  template <class Allocator>
  unsampled_image_accessor(unsampled_image<Dimensions, Allocator> &image, handler &group,
                           const property_list &list = {})
      : base(image.sinter_view(), Mode, list) {
    const std::uint32_t access = detail::access_bits(Mode, this->gives_up) | detail::bits_of(Target);
    this->view = detail::required_view(image, group, access);
  }
  template <class Other, detail::enable_if<Mode == access_mode::read && detail::differ_in_const<Data, Other>> = 0>
  unsampled_image_accessor(const unsampled_image_accessor<Other, Dimensions, Mode, Target> &other) noexcept
      : base(other) {}
};

template <class Data, int Dimensions = 1,
          access_mode Mode = std::is_const_v<Data> ? access_mode::read : access_mode::read_write>
class host_unsampled_image_accessor
    : public detail::unsampled_interface<host_unsampled_image_accessor<Data, Dimensions, Mode>, Data, Dimensions,
                                         Mode> {
  using base = detail::unsampled_interface<host_unsampled_image_accessor, Data, Dimensions, Mode>;

public:
  template <class Allocator>
  host_unsampled_image_accessor(unsampled_image<Dimensions, Allocator> &image, const property_list &list = {})
      : base(image.sinter_view(), Mode, list) {
    this->view = detail::held_view(image, detail::access_bits(Mode, this->gives_up), held);
  }
  template <class Other, detail::enable_if<Mode == access_mode::read && detail::differ_in_const<Data, Other>> = 0>
  host_unsampled_image_accessor(const host_unsampled_image_accessor<Other, Dimensions, Mode> &other) noexcept
      : base(other), held(other.sinter_hold()) {}

  // For use by the other headers.
  const detail::shared<detail::host_hold> &sinter_hold() const noexcept { return held; }

private:
  detail::shared<detail::host_hold> held;
};

template <class Data, int Dimensions, image_target Target = image_target::device>
class sampled_image_accessor
    : public detail::sampled_interface<sampled_image_accessor<Data, Dimensions, Target>, Data, Dimensions>,
      detail::used_by<Target> {
  using base = detail::sampled_interface<sampled_image_accessor, Data, Dimensions>;

public:
  template <class Allocator>
  sampled_image_accessor(sampled_image<Dimensions, Allocator> &image, handler &group, const property_list & = {})
      : base(image.sinter_view(), image.sinter_modes()) {
    this->view = detail::required_view(image, group, SINTER_ACCESS_READ | detail::bits_of(Target));
  }
  template <class Other, detail::enable_if<detail::differ_in_const<Data, Other>> = 0>
  sampled_image_accessor(const sampled_image_accessor<Other, Dimensions, Target> &other) noexcept : base(other) {}
};

template <class Data, int Dimensions>
class host_sampled_image_accessor
    : public detail::sampled_interface<host_sampled_image_accessor<Data, Dimensions>, Data, Dimensions> {
  using base = detail::sampled_interface<host_sampled_image_accessor, Data, Dimensions>;

public:
  template <class Allocator>
  host_sampled_image_accessor(sampled_image<Dimensions, Allocator> &image, const property_list & = {})
      : base(image.sinter_view(), image.sinter_modes()) {
    this->view = detail::held_view(image, SINTER_ACCESS_READ, held);
  }
  template <class Other, detail::enable_if<detail::differ_in_const<Data, Other>> = 0>
  host_sampled_image_accessor(const host_sampled_image_accessor<Other, Dimensions> &other) noexcept
      : base(other), held(other.sinter_hold()) {}

  // For use by the other headers.
  const detail::shared<detail::host_hold> &sinter_hold() const noexcept { return held; }

private:
  detail::shared<detail::host_hold> held;
};

template <class Data, int Dimensions, access_mode Mode, image_target Target>
struct is_property_of<property::no_init, unsampled_image_accessor<Data, Dimensions, Mode, Target>> : std::true_type {};
template <class Data, int Dimensions, access_mode Mode>
struct is_property_of<property::no_init, host_unsampled_image_accessor<Data, Dimensions, Mode>> : std::true_type {};

} // namespace sycl

template <class Data, int Dimensions, sycl::access_mode Mode, sycl::image_target Target>
struct std::hash<sycl::unsampled_image_accessor<Data, Dimensions, Mode, Target>> {
  std::size_t operator()(const sycl::unsampled_image_accessor<Data, Dimensions, Mode, Target> &value) const noexcept {
    return value.sinter_hash();
  }
};
template <class Data, int Dimensions, sycl::access_mode Mode>
struct std::hash<sycl::host_unsampled_image_accessor<Data, Dimensions, Mode>> {
  std::size_t operator()(const sycl::host_unsampled_image_accessor<Data, Dimensions, Mode> &value) const noexcept {
    return value.sinter_hash();
  }
};
template <class Data, int Dimensions, sycl::image_target Target>
struct std::hash<sycl::sampled_image_accessor<Data, Dimensions, Target>> {
  std::size_t operator()(const sycl::sampled_image_accessor<Data, Dimensions, Target> &value) const noexcept {
    return value.sinter_hash();
  }
};
template <class Data, int Dimensions> struct std::hash<sycl::host_sampled_image_accessor<Data, Dimensions>> {
  std::size_t operator()(const sycl::host_sampled_image_accessor<Data, Dimensions> &value) const noexcept {
    return value.sinter_hash();
  }
};

#endif
