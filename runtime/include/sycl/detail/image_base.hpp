// The common part of images: their memory, which is a buffer of bytes, and its layout.
//
// In: a format, lengths, and pitches or none. Out: a buffer for the dependency graph, and the view
// that accessors pass to kernels. *Invariant:* a row or plane is at least as long as its pixels,
// and every coordinate fits in an int.
#ifndef SYCL_DETAIL_IMAGE_BASE_HPP
#define SYCL_DETAIL_IMAGE_BASE_HPP

#include "../memory/buffer.hpp"
#include "../memory/image_accessor.hpp"

namespace sycl {

namespace property::image {
// The memory on the host is always the program's.
struct use_host_ptr { static constexpr unsigned sinter_bit = 1u << 9; };
// The program locks the mutex to use its memory while the image lives; the runtime, to write back.
using use_mutex = detail::mutex_property<1u << 10>;
// All commands that use the image are of this context.
using context_bound = detail::context_property<1u << 11>;
} // namespace property::image

#define SINTER_IMAGE_PROPERTY(type, name)                                                                            \
  template <int Dimensions, class Allocator>                                                                         \
  struct is_property_of<property::image::name, type<Dimensions, Allocator>> : std::true_type {};
#define SINTER_IMAGE_PROPERTIES(type)                                                                                \
  SINTER_IMAGE_PROPERTY(type, use_host_ptr)                                                                          \
  SINTER_IMAGE_PROPERTY(type, use_mutex)                                                                             \
  SINTER_IMAGE_PROPERTY(type, context_bound)
SINTER_IMAGE_PROPERTIES(image)
SINTER_IMAGE_PROPERTIES(sampled_image)
SINTER_IMAGE_PROPERTIES(unsampled_image)
#undef SINTER_IMAGE_PROPERTIES
#undef SINTER_IMAGE_PROPERTY

namespace detail {

[[noreturn]] __attribute__((noinline, cold)) inline void bad_image_length(int dimension, std::size_t length) {
  raise(errc::invalid, "an image has 1 to 2147483646 pixels in each dimension, not " + std::to_string(length) +
                           " in dimension " + std::to_string(dimension));
}
[[noreturn]] __attribute__((noinline, cold)) inline void bad_pitch(int dimension, std::size_t pitch,
                                                                   std::size_t least) {
  raise(errc::invalid, "a pitch of " + std::to_string(pitch) + " bytes is less than the " + std::to_string(least) +
                           " that dimension " + std::to_string(dimension - 1) + " of the image takes");
}

// The element types of a container of an output iterator, or of the iterator.
template <class Iterator, class = void> struct output_value {
  using type = typename std::iterator_traits<Iterator>::value_type;
};
template <class Iterator> struct output_value<Iterator, std::void_t<typename Iterator::container_type>> {
  using type = typename Iterator::container_type::value_type;
};

template <int Dimensions, class Allocator> class image_base {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "an image has one to three dimensions");
  using extent = range<Dimensions>;

public:
  static constexpr int dimensions = Dimensions;
  using allocator_type = Allocator;

  extent get_range() const noexcept { return length; }
  template <int Dims = Dimensions, enable_if<(Dims > 1)> = 0> range<Dims - 1> get_pitch() const noexcept {
    range<Dims - 1> result;
    for (int d = 1; d < Dims; ++d)
      result[d - 1] = view.pitch[d];
    return result;
  }
  std::size_t size() const noexcept { return length.size(); }
  std::size_t byte_size() const noexcept { return state->size(); }
  Allocator get_allocator() const { return allocator; }
  template <class Property> bool has_property() const noexcept { return given.template has_property<Property>(); }
  template <class Property> Property get_property() const { return given.template get_property<Property>(); }

  // For use by the other headers.
  buffer_state *sinter_state() const noexcept { return state.get(); }
  const image_view<Dimensions> &sinter_view() const noexcept { return view; }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()); }

protected:
  image_base(sinter_specialized_pixels format, const extent &size, const Allocator &chosen, const property_list &list)
      : length(size), allocator(chosen), given(list) {
    view.format = format;
    std::size_t bytes = format.size();
    for (int d = 0; d < Dimensions; ++d) {
      if (size[d] == 0 || size[d] > INT32_MAX - 1)
        bad_image_length(d, size[d]);
      view.length[d] = static_cast<std::int32_t>(size[d]);
      view.pitch[d] = bytes;
      bytes = product(errc::invalid, "an image", bytes, size[d]);
    }
  }
  template <int Dims>
  image_base(sinter_specialized_pixels format, const extent &size, const range<Dims> &pitch, const Allocator &chosen,
             const property_list &list)
      : image_base(format, size, chosen, list) {
    static_assert(Dims == Dimensions - 1, "the pitch of an image has one dimension less than the image");
    for (int d = 1; d < Dimensions; ++d) {
      const std::size_t least = view.pitch[d - 1] * size[d - 1];
      if (pitch[d - 1] < least)
        bad_pitch(d, pitch[d - 1], least);
      view.pitch[d] = pitch[d - 1];
    }
  }

  void create(const void *host, unsigned flags) {
    constexpr int last = Dimensions - 1;
    const std::size_t bytes = product(errc::invalid, "an image", view.pitch[last], length[last]);
    const sinter_buffer_description description = {
        sizeof(description), flags, {bytes, 1, 1}, const_cast<void *>(host)};
    state = shared<buffer_state>::adopt(new buffer_state(description, bytes));
    if (has_property<property::image::use_host_ptr>())
      state->share_with_program();
  }
  // Memory that gets the contents at the end.
  void create_writable(void *host) {
    create(host, 0);
    first = host;
    if (host)
      state->set_destination(new final_memory(host, mutex()));
  }
  template <class Type> void keep(const std::shared_ptr<Type> &owner) { state->keep(new kept_owner<Type>(owner)); }

  template <class Destination> void deliver_to(Destination to) {
    using value = typename std::conditional_t<std::is_null_pointer_v<Destination> || std::is_pointer_v<Destination> ||
                                                  is_weak<Destination>::value,
                                              identity<byte>, output_value<Destination>>::type;
    set_final_data<value>(*state, first, mutex(), to);
  }
  void write_back(bool wanted) { set_write_back(*state, first, wanted); }
  bool is_same(const image_base &other) const noexcept { return state == other.state; }

private:
  std::mutex *mutex() const noexcept { return static_cast<std::mutex *>(given.sinter_mutex); }

  shared<buffer_state> state;
  extent length;
  image_view<Dimensions> view;
  // The program's memory, if it may be written.
  void *first = nullptr;
  Allocator allocator;
  property_list given;
};

} // namespace detail

} // namespace sycl

#endif
