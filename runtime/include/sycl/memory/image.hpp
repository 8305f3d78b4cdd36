// image, and its accessors: the images of SYCL 1.2.1.
//
// An image has any order and type of channels, and is read with or without a sampler. Accessors
// have the targets image, host_image and image_array; the last one sees an image as an array of
// images of one dimension less.
#ifndef SYCL_IMAGE_HPP
#define SYCL_IMAGE_HPP

#include "accessor.hpp"
#include "image_types.hpp"

namespace sycl {

template <int Dimensions, class Allocator> class image : public detail::image_base<Dimensions, Allocator> {
  using base = detail::image_base<Dimensions, Allocator>;
  using extent = range<Dimensions>;
  using order = image_channel_order;
  using type = image_channel_type;
  using properties = const property_list &;
  using owner = const std::shared_ptr<void> &;

public:
  image(order channels, type stored, const extent &size, properties list = {})
      : image(static_cast<void *>(nullptr), channels, stored, size, Allocator(), list) {}
  image(order channels, type stored, const extent &size, Allocator chosen, properties list = {})
      : image(static_cast<void *>(nullptr), channels, stored, size, chosen, list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(order channels, type stored, const extent &size, const range<Dims - 1> &pitch, properties list = {})
      : image(static_cast<void *>(nullptr), channels, stored, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(order channels, type stored, const extent &size, const range<Dims - 1> &pitch, Allocator chosen,
        properties list = {})
      : image(static_cast<void *>(nullptr), channels, stored, size, pitch, chosen, list) {}

  image(void *host, order channels, type stored, const extent &size, properties list = {})
      : image(host, channels, stored, size, Allocator(), list) {}
  image(void *host, order channels, type stored, const extent &size, Allocator chosen, properties list = {})
      : base(pixels(channels, stored), size, chosen, list) {
    this->create_writable(host);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(void *host, order channels, type stored, const extent &size, const range<Dims - 1> &pitch,
        properties list = {})
      : image(host, channels, stored, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(void *host, order channels, type stored, const extent &size, const range<Dims - 1> &pitch, Allocator chosen,
        properties list = {})
      : base(pixels(channels, stored), size, pitch, chosen, list) {
    this->create_writable(host);
  }

  image(const void *host, order channels, type stored, const extent &size, properties list = {})
      : image(host, channels, stored, size, Allocator(), list) {}
  image(const void *host, order channels, type stored, const extent &size, Allocator chosen, properties list = {})
      : base(pixels(channels, stored), size, chosen, list) {
    this->create(host, SINTER_BUFFER_READ_ONLY);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(const void *host, order channels, type stored, const extent &size, const range<Dims - 1> &pitch,
        properties list = {})
      : image(host, channels, stored, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(const void *host, order channels, type stored, const extent &size, const range<Dims - 1> &pitch,
        Allocator chosen, properties list = {})
      : base(pixels(channels, stored), size, pitch, chosen, list) {
    this->create(host, SINTER_BUFFER_READ_ONLY);
  }

  image(owner host, order channels, type stored, const extent &size, properties list = {})
      : image(host, channels, stored, size, Allocator(), list) {}
  image(owner host, order channels, type stored, const extent &size, Allocator chosen, properties list = {})
      : image(host.get(), channels, stored, size, chosen, list) {
    this->keep(host);
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(owner host, order channels, type stored, const extent &size, const range<Dims - 1> &pitch,
        properties list = {})
      : image(host, channels, stored, size, pitch, Allocator(), list) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  image(owner host, order channels, type stored, const extent &size, const range<Dims - 1> &pitch, Allocator chosen,
        properties list = {})
      : image(host.get(), channels, stored, size, pitch, chosen, list) {
    this->keep(host);
  }

  std::size_t get_size() const noexcept { return this->byte_size(); }
  std::size_t get_count() const noexcept { return this->size(); }

  template <class Data, access_mode Mode>
  accessor<Data, Dimensions, Mode, target::image> get_access(handler &group) {
    return {*this, group};
  }
  template <class Data, access_mode Mode> accessor<Data, Dimensions, Mode, target::host_image> get_access() {
    return {*this};
  }

  // Where the contents go at the end: memory, an owner of memory, an output iterator, or nowhere.
  template <class Destination = std::nullptr_t> void set_final_data(Destination to = nullptr) {
    this->deliver_to(to);
  }
  void set_write_back(bool wanted = true) { this->write_back(wanted); }

  friend bool operator==(const image &a, const image &b) noexcept { return a.is_same(b); }
  friend bool operator!=(const image &a, const image &b) noexcept { return !a.is_same(b); }

private:
  static detail::sinter_specialized_pixels pixels(order channels, type stored) {
    if (detail::is_packed(stored) && channels != order::rgb && channels != order::rgbx)
      detail::raise(errc::invalid, "images whose channels share a number have the channel order rgb or rgbx");
    return detail::sinter_specialized_pixels::of(channels, stored);
  }
};

namespace detail {

// Reads and writes of the accessors of SYCL 1.2.1, and of the images of an array.
template <class Data, int Dimensions, access_mode Mode> class image_use {
  using plain = std::remove_const_t<Data>;

public:
  template <class Coordinates, access_mode Own = Mode, enable_if<can_read<Own>> = 0>
  plain read(const Coordinates &at) const noexcept {
    return as_data<plain>(read_pixel<image_number<Data>>(view, index_of<Dimensions>(at)));
  }
  template <class Coordinates, access_mode Own = Mode, enable_if<can_read<Own>> = 0>
  plain read(const Coordinates &at, const sampler &how) const noexcept {
    using number = image_number<Data>;
    if constexpr (is_integer_point<Coordinates, Dimensions>)
      return as_data<plain>(sample<number>(view, how.sinter_modes(), index_of<Dimensions>(at)));
    else
      return as_data<plain>(sample<number>(view, how.sinter_modes(), point_of<Dimensions>(at)));
  }
  template <class Coordinates, access_mode Own = Mode, enable_if<can_write<Own>> = 0>
  void write(const Coordinates &at, const plain &colour) const noexcept {
    write_pixel(view, index_of<Dimensions>(at), as_numbers(colour));
  }

  explicit image_use(const image_view<Dimensions> &of) noexcept : view(of) {}

protected:
  image_view<Dimensions> view;
};

// The view of one image of an array. The index is that of the nearest one.
template <int Dimensions>
image_view<Dimensions> slice_of(const image_view<Dimensions + 1> &all, std::size_t index) noexcept {
  const std::size_t last = static_cast<std::size_t>(all.length[Dimensions] - 1);
  image_view<Dimensions> one;
  one.first = all.first + (index < last ? index : last) * all.pitch[Dimensions];
  one.format = all.format;
  for (int d = 0; d < Dimensions; ++d) {
    one.length[d] = all.length[d];
    one.pitch[d] = all.pitch[d];
  }
  return one;
}

template <int Dimensions> range<Dimensions> lengths_of(const image_view<Dimensions> &view) noexcept {
  range<Dimensions> result;
  for (int d = 0; d < Dimensions; ++d)
    result[d] = static_cast<std::size_t>(view.length[d]);
  return result;
}

// Members of the accessors to images of `Dimensions` dimensions.
template <class Accessor, class Data, int Dimensions, access_mode Mode>
class legacy_image_interface : public image_interface<Accessor, Data, Dimensions, Mode == access_mode::read> {
  using base = image_interface<Accessor, Data, Dimensions, Mode == access_mode::read>;

public:
  static constexpr access_mode mode = Mode;

  std::size_t get_count() const noexcept { return this->size(); }
  std::size_t get_size() const noexcept { return this->size() * this->view.format.size(); }
  range<Dimensions> get_range() const noexcept { return lengths_of(this->view); }

protected:
  using base::base;
};

// Reads and writes of a whole image.
template <class Accessor, class Data, int Dimensions, access_mode Mode>
class whole_image_interface : public legacy_image_interface<Accessor, Data, Dimensions, Mode> {
  using base = legacy_image_interface<Accessor, Data, Dimensions, Mode>;
  using use = image_use<Data, Dimensions, Mode>;

public:
  template <class... Arguments, access_mode Own = Mode, enable_if<can_read<Own>> = 0>
  std::remove_const_t<Data> read(const Arguments &...arguments) const noexcept {
    return use(this->view).read(arguments...);
  }
  template <class Coordinates, access_mode Own = Mode, enable_if<can_write<Own>> = 0>
  void write(const Coordinates &at, const std::remove_const_t<Data> &colour) const noexcept {
    use(this->view).write(at, colour);
  }

protected:
  using base::base;
};

} // namespace detail

template <class Data, int Dimensions, access_mode Mode, access::placeholder Kind>
class accessor<Data, Dimensions, Mode, target::image, Kind>
    : public detail::whole_image_interface<accessor<Data, Dimensions, Mode, target::image, Kind>, Data, Dimensions,
                                           Mode> {
  using base = detail::whole_image_interface<accessor, Data, Dimensions, Mode>;

public:
  template <class Allocator>
  accessor(image<Dimensions, Allocator> &of, handler &group, const property_list &list = {})
      : base(of.sinter_view(), Mode, list) {
    this->view = detail::required_view(of, group, detail::access_bits(Mode, this->gives_up));
  }
};

template <class Data, int Dimensions, access_mode Mode, access::placeholder Kind>
class accessor<Data, Dimensions, Mode, target::host_image, Kind>
    : public detail::whole_image_interface<accessor<Data, Dimensions, Mode, target::host_image, Kind>, Data, Dimensions,
                                           Mode> {
  using base = detail::whole_image_interface<accessor, Data, Dimensions, Mode>;

public:
  template <class Allocator>
  accessor(image<Dimensions, Allocator> &of, const property_list &list = {}) : base(of.sinter_view(), Mode, list) {
    this->view = detail::held_view(of, detail::access_bits(Mode, this->gives_up), held);
  }

private:
  detail::shared<detail::host_hold> held;
};

// An image of one dimension more, whose last index is that of an image.
template <class Data, int Dimensions, access_mode Mode, access::placeholder Kind>
class accessor<Data, Dimensions, Mode, target::image_array, Kind>
    : public detail::legacy_image_interface<accessor<Data, Dimensions, Mode, target::image_array, Kind>, Data,
                                            Dimensions + 1, Mode> {
  static_assert(Dimensions == 1 || Dimensions == 2, "the images of an array have one or two dimensions");
  using base = detail::legacy_image_interface<accessor, Data, Dimensions + 1, Mode>;

public:
  template <class Allocator>
  accessor(image<Dimensions + 1, Allocator> &of, handler &group, const property_list &list = {})
      : base(of.sinter_view(), Mode, list) {
    this->view = detail::required_view(of, group, detail::access_bits(Mode, this->gives_up));
  }

  detail::image_use<Data, Dimensions, Mode> operator[](std::size_t index) const noexcept {
    return detail::image_use<Data, Dimensions, Mode>(detail::slice_of<Dimensions>(this->view, index));
  }
};

} // namespace sycl

template <int Dimensions, class Allocator> struct std::hash<sycl::image<Dimensions, Allocator>> {
  std::size_t operator()(const sycl::image<Dimensions, Allocator> &value) const noexcept { return value.sinter_hash(); }
};

#endif
