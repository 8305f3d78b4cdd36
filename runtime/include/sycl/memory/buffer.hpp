// buffer: elements that commands of all devices and the host use by turns.
//
// The runtime keeps the copies, the order of commands and the transfers (sinter.h); this class says
// what the elements are, where they come from and where they go at the end. Unless it is const, the
// memory that a buffer is made with is its memory on the host, so that there it costs no copy.
#ifndef SYCL_BUFFER_HPP
#define SYCL_BUFFER_HPP

#include "../detail/storage_properties.hpp"
#include "accessor.hpp"
#include "host_accessor.hpp"

#include <memory>

namespace sycl {

template <class Type> using buffer_allocator = std::allocator<Type>;

namespace property::buffer {
// The memory on the host is always the program's.
struct use_host_ptr { static constexpr unsigned sinter_bit = 1u << 5; };

// The program locks the mutex to use its memory while the buffer lives; the runtime, to write back.
using use_mutex = detail::mutex_property<1u << 6>;
// All commands that use the buffer are of this context.
using context_bound = detail::context_property<1u << 7>;
} // namespace property::buffer

template <class Type, int Dimensions = 1, class Allocator = buffer_allocator<std::remove_const_t<Type>>> class buffer;

template <class Type, int Dimensions, class Allocator>
struct is_property_of<property::buffer::use_host_ptr, buffer<Type, Dimensions, Allocator>> : std::true_type {};
template <class Type, int Dimensions, class Allocator>
struct is_property_of<property::buffer::use_mutex, buffer<Type, Dimensions, Allocator>> : std::true_type {};
template <class Type, int Dimensions, class Allocator>
struct is_property_of<property::buffer::context_bound, buffer<Type, Dimensions, Allocator>> : std::true_type {};
template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind>
struct is_property_of<property::no_init, accessor<Type, Dimensions, Mode, Target, Kind>> : std::true_type {};
template <class Type, int Dimensions, access_mode Mode>
struct is_property_of<property::no_init, host_accessor<Type, Dimensions, Mode>> : std::true_type {};

namespace detail {

// Writes back to memory.
struct final_memory : final_data {
  final_memory(void *to, std::mutex *locked) noexcept : memory(to), mutex(locked) {}
  void deliver(sinter_buffer *buffer, std::size_t) override {
    if (mutex)
      mutex->lock();
    sinter_buffer_destroy(buffer, memory);
    if (mutex)
      mutex->unlock();
  }
  void *memory;
  std::mutex *mutex;
};

// Writes back to an object, if that still exists.
template <class Type> struct final_owner : final_data {
  explicit final_owner(std::weak_ptr<Type> to) noexcept : owner(static_cast<std::weak_ptr<Type> &&>(to)) {}
  void deliver(sinter_buffer *buffer, std::size_t) override {
    const std::shared_ptr<Type> living = owner.lock();
    sinter_buffer_destroy(buffer, const_cast<void *>(static_cast<const void *>(living.get())));
  }
  std::weak_ptr<Type> owner;
};
template <class Type> final_data *deliver_to(const std::weak_ptr<Type> &owner) { return new final_owner<Type>(owner); }
template <class Type> final_data *deliver_to(const std::shared_ptr<Type> &owner) {
  return new final_owner<Type>(owner);
}

// Writes the elements to an output iterator.
template <class Type, class Iterator> struct final_output : final_data {
  explicit final_output(const Iterator &to) : output(to) {}
  void deliver(sinter_buffer *buffer, std::size_t size) override {
    void *memory = nullptr;
    sinter_host_access *held = nullptr;
    const sinter_box whole = {0, size, 1, 1, 0, 0};
    if (sinter_buffer_access(buffer, SINTER_ACCESS_READ, &whole, &memory, &held) == SINTER_SUCCESS) {
      const Type *const first = static_cast<const Type *>(memory);
      for (std::size_t i = 0; i < size / sizeof(Type); ++i, ++output)
        *output = first[i];
      sinter_buffer_release(held);
    }
    sinter_buffer_destroy(buffer, nullptr);
  }
  Iterator output;
};

// Keeps memory that the program shares with a buffer.
template <class Type> struct kept_owner : final_data {
  explicit kept_owner(const std::shared_ptr<Type> &of) noexcept : owner(of) {}
  void deliver(sinter_buffer *, std::size_t) override {}
  std::shared_ptr<Type> owner;
};

template <class Type> struct is_weak : std::false_type {};
template <class Type> struct is_weak<std::weak_ptr<Type>> : std::true_type {};
template <class Type> struct is_weak<std::shared_ptr<Type>> : std::true_type {};

// Where the contents of a buffer go at the end. `first` is the program's memory that it was made
// with, if that may be written; `Type` is what an output iterator takes.
template <class Type, class Destination>
void set_final_data(buffer_state &state, void *first, std::mutex *mutex, Destination to) {
  if constexpr (std::is_null_pointer_v<Destination>) {
    state.set_destination(nullptr);
  } else if constexpr (std::is_pointer_v<Destination>) {
    state.set_destination(to ? new final_memory(to, mutex) : nullptr);
    if (to == first)
      return;
  } else if constexpr (is_weak<Destination>::value) {
    state.set_destination(deliver_to(to));
  } else {
    state.set_destination(new final_output<Type, Destination>(to));
  }
  if (first)
    state.leave_program();
}
inline void set_write_back(buffer_state &state, const void *first, bool wanted) {
  state.set_write_back(wanted);
  if (!wanted && first)
    state.leave_program();
}

template <class Iterator, class = void> inline constexpr bool is_input_iterator = false;
template <class Iterator>
inline constexpr bool is_input_iterator<
    Iterator, std::void_t<typename std::iterator_traits<Iterator>::value_type, decltype(*std::declval<Iterator &>())>> =
    true;

// True for objects with contiguous elements that a buffer of `Type` can use in place.
template <class Container, class Type, class = void> inline constexpr bool is_storage_of = false;
template <class Container, class Type>
inline constexpr bool is_storage_of<Container, Type,
                                    std::void_t<decltype(std::declval<Container &>().data()),
                                                decltype(std::declval<Container &>().size())>> =
    std::is_convertible_v<std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], const Type (*)[]>;

// Bytes from the first to behind the last of a box whose elements are adjacent; false if they are
// not.
template <int Dimensions> bool is_dense(const range<Dimensions> &whole, const range<Dimensions> &part) noexcept {
  bool is_one = true; // so far one element in each dimension
  for (int d = 0; d < Dimensions; ++d) {
    if (!is_one && part[d] != whole[d])
      return false;
    is_one = is_one && part[d] == 1;
  }
  return true;
}

} // namespace detail

template <class Type, int Dimensions, class Allocator> class buffer {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a buffer has one to three dimensions");
  static_assert(is_device_copyable_v<Type>, "the elements of a buffer must be device copyable");
  using extent = range<Dimensions>;
  using properties = const property_list &;
  using plain = std::remove_const_t<Type>;

public:
  using value_type = Type;
  using reference = Type &;
  using const_reference = const Type &;
  using allocator_type = Allocator;
  static constexpr int dimensions = Dimensions;

  buffer(const extent &size, properties list = {}) : buffer(size, Allocator(), list) {}
  buffer(const extent &size, Allocator chosen, properties list = {}) : buffer(chosen, list) {
    create(size, nullptr, 0);
  }
  buffer(plain *host, const extent &size, properties list = {}) : buffer(host, size, Allocator(), list) {}
  buffer(plain *host, const extent &size, Allocator chosen, properties list = {}) : buffer(chosen, list) {
    create(size, host, 0);
    write_back_to(host);
  }
  buffer(const plain *host, const extent &size, properties list = {}) : buffer(host, size, Allocator(), list) {}
  buffer(const plain *host, const extent &size, Allocator chosen, properties list = {}) : buffer(chosen, list) {
    create(size, const_cast<plain *>(host), SINTER_BUFFER_READ_ONLY);
  }

  buffer(const std::shared_ptr<plain> &host, const extent &size, properties list = {})
      : buffer(host, size, Allocator(), list) {}
  buffer(const std::shared_ptr<plain> &host, const extent &size, Allocator chosen, properties list = {})
      : buffer(chosen, list) {
    create_shared(host, host.get(), size);
  }
  buffer(const std::shared_ptr<plain[]> &host, const extent &size, properties list = {})
      : buffer(host, size, Allocator(), list) {}
  buffer(const std::shared_ptr<plain[]> &host, const extent &size, Allocator chosen, properties list = {})
      : buffer(chosen, list) {
    create_shared(host, host.get(), size);
  }

  template <class Iterator, int Dims = Dimensions,
            detail::enable_if<Dims == 1 && detail::is_input_iterator<Iterator>> = 0>
  buffer(Iterator first, Iterator last, properties list = {}) : buffer(first, last, Allocator(), list) {}
  template <class Iterator, int Dims = Dimensions,
            detail::enable_if<Dims == 1 && detail::is_input_iterator<Iterator>> = 0>
  buffer(Iterator first, Iterator last, Allocator chosen, properties list = {}) : buffer(chosen, list) {
    create(extent(static_cast<std::size_t>(std::distance(first, last))), nullptr, 0);
    if (size() != 0) {
      const host_accessor<plain, 1, access_mode::discard_write> elements(as_plain());
      for (std::size_t i = 0; first != last; ++first, ++i)
        elements[i] = *first;
    }
  }

  template <class Container, int Dims = Dimensions,
            detail::enable_if<Dims == 1 && detail::is_storage_of<Container, Type>> = 0>
  buffer(Container &elements, properties list = {}) : buffer(elements, Allocator(), list) {}
  template <class Container, int Dims = Dimensions,
            detail::enable_if<Dims == 1 && detail::is_storage_of<Container, Type>> = 0>
  buffer(Container &elements, Allocator chosen, properties list = {})
      : buffer(elements.data(), extent(elements.size()), chosen, list) {}

  // A sub-buffer: adjacent elements of another buffer.
  // The same elements, which only the new buffer cannot change.
  template <class Another, class Other,
            detail::enable_if<std::is_same_v<const Another, Type> && !std::is_const_v<Another>> = 0>
  buffer(const buffer<Another, Dimensions, Other> &of) : buffer(of, of.get_range()) {}
  buffer(buffer &of, const id<Dimensions> &start, const extent &size)
      : state(of.state), length(size), base(of.base + detail::linear(start, of.length) * sizeof(Type)), is_part(true),
        first(of.first), allocator(of.allocator), given(of.given) {
    if (of.is_part)
      detail::raise(errc::invalid, "a sub-buffer cannot be made of a sub-buffer");
    for (int d = 0; d < Dimensions; ++d)
      if (start[d] > of.length[d] || size[d] > of.length[d] - start[d])
        detail::raise(errc::invalid, "the sub-buffer exceeds its buffer in dimension " + std::to_string(d));
    if (!detail::is_dense(of.length, size))
      detail::raise(errc::invalid, "the elements of a sub-buffer must be adjacent");
  }

  extent get_range() const noexcept { return length; }
  std::size_t size() const noexcept { return length.size(); }
  std::size_t byte_size() const noexcept { return size() * sizeof(Type); }
  std::size_t get_count() const noexcept { return size(); }
  std::size_t get_size() const noexcept { return byte_size(); }
  Allocator get_allocator() const { return allocator; }
  bool is_sub_buffer() const noexcept { return is_part; }
  template <class Property> bool has_property() const noexcept { return given.template has_property<Property>(); }
  template <class Property> Property get_property() const { return given.template get_property<Property>(); }

  template <access_mode Mode, target Target = target::device>
  accessor<Type, Dimensions, Mode, Target> get_access(handler &group) {
    return {*this, group};
  }
  template <access_mode Mode, target Target = target::device>
  accessor<Type, Dimensions, Mode, Target> get_access(handler &group, extent part, id<Dimensions> offset = {}) {
    return {*this, group, part, offset};
  }
  template <access_mode Mode> accessor<Type, Dimensions, Mode, target::host_buffer> get_access() { return {*this}; }
  template <access_mode Mode>
  accessor<Type, Dimensions, Mode, target::host_buffer> get_access(extent part, id<Dimensions> offset = {}) {
    return {*this, part, offset};
  }
  template <class... Arguments> auto get_access(Arguments &&...arguments) {
    return accessor{*this, static_cast<Arguments &&>(arguments)...};
  }
  template <class... Arguments> auto get_host_access(Arguments &&...arguments) {
    return host_accessor{*this, static_cast<Arguments &&>(arguments)...};
  }

  // Where the contents go at the end: memory, an owner of memory, an output iterator, or nowhere.
  template <class Destination = std::nullptr_t> void set_final_data(Destination to = nullptr) {
    detail::set_final_data<plain>(*state, first, mutex(), to);
  }
  void set_write_back(bool wanted = true) { detail::set_write_back(*state, first, wanted); }

  template <class Another, int Dims,
            class Other =
                typename std::allocator_traits<Allocator>::template rebind_alloc<std::remove_const_t<Another>>>
  buffer<Another, Dims, Other> reinterpret(range<Dims> size) const {
    if (detail::product(errc::invalid, "a buffer", size, sizeof(Another)) != byte_size())
      detail::raise(errc::invalid, "a reinterpreted buffer must have the same size in bytes");
    return buffer<Another, Dims, Other>(*this, size);
  }
  template <class Another, int Dims = Dimensions,
            detail::enable_if<Dims == 1 || (Dims == Dimensions && sizeof(Another) == sizeof(Type))> = 0>
  auto reinterpret() const {
    if constexpr (Dims == 1) {
      if (byte_size() % sizeof(Another) != 0)
        detail::raise(errc::invalid, "the size of the buffer is not a multiple of that of the other type");
      return reinterpret<Another, 1>(range<1>(byte_size() / sizeof(Another)));
    } else {
      return reinterpret<Another, Dims>(length);
    }
  }

  SINTER_OWNER_BEFORE
  friend bool operator==(const buffer &a, const buffer &b) noexcept {
    return a.state == b.state && a.base == b.base && a.length == b.length;
  }
  friend bool operator!=(const buffer &a, const buffer &b) noexcept { return !(a == b); }

  // For use by the other headers.
  detail::buffer_state *sinter_state() const noexcept { return state.get(); }
  std::size_t sinter_base() const noexcept { return base; }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()) + base; }

private:
  template <class, int, class> friend class buffer;
  friend detail::weak_access;

  buffer(const Allocator &chosen, properties list) : allocator(chosen), given(list) {}
  template <class Another, int Dims, class Other>
  buffer(const buffer<Another, Dims, Other> &of, const extent &size)
      : state(of.state), length(size), base(of.base), is_part(of.is_part), first(of.first), given(of.given) {}

  buffer<plain, Dimensions, Allocator> &as_plain() {
    return reinterpret_cast<buffer<plain, Dimensions, Allocator> &>(*this);
  }
  std::mutex *mutex() const noexcept { return static_cast<std::mutex *>(given.sinter_mutex); }

  void create(const extent &size, plain *host, unsigned flags) {
    length = size;
    const std::size_t bytes = detail::product(errc::invalid, "a buffer", size, sizeof(Type));
    const std::size_t row = size[Dimensions - 1] * sizeof(Type);
    sinter_buffer_description description = {sizeof(description), flags, {row, 1, 1}, host};
    for (int d = Dimensions - 2; d >= 0; --d)
      description.shape[Dimensions - 1 - d] = size[d];
    state = detail::shared<detail::buffer_state>::adopt(new detail::buffer_state(description, bytes));
    if (has_property<property::buffer::use_host_ptr>())
      state->share_with_program();
  }
  void write_back_to(plain *host) {
    first = host;
    if (host)
      state->set_destination(new detail::final_memory(host, mutex()));
  }
  template <class Owner> void create_shared(const std::shared_ptr<Owner> &owner, plain *host, const extent &size) {
    create(size, host, 0);
    state->keep(new detail::kept_owner<Owner>(owner));
    write_back_to(host);
  }

  detail::shared<detail::buffer_state> state;
  extent length;
  std::size_t base = 0;
  bool is_part = false;
  // The program's memory, if it may be written.
  void *first = nullptr;
  Allocator allocator;
  property_list given;
};

template <class Iterator, detail::enable_if<detail::is_input_iterator<Iterator>> = 0>
buffer(Iterator, Iterator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;
template <class Iterator, class Allocator, detail::enable_if<detail::is_input_iterator<Iterator>> = 0>
buffer(Iterator, Iterator, Allocator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1, Allocator>;
template <class Type, int Dimensions>
buffer(const Type *, const range<Dimensions> &, const property_list & = {}) -> buffer<Type, Dimensions>;
// With a size in braces, which is one-dimensional.
template <class Type> buffer(const Type *, const range<1> &, const property_list & = {}) -> buffer<Type, 1>;
template <class Type, int Dimensions, class Allocator, detail::enable_if<!std::is_same_v<Allocator, property_list>> = 0>
buffer(const Type *, const range<Dimensions> &, Allocator, const property_list & = {})
    -> buffer<Type, Dimensions, Allocator>;
template <class Type, int Dimensions>
buffer(const std::shared_ptr<Type> &, const range<Dimensions> &, const property_list & = {})
    -> buffer<std::remove_extent_t<Type>, Dimensions>;
template <class Container, class Type = typename Container::value_type>
buffer(Container &, const property_list & = {}) -> buffer<std::remove_const_t<Type>, 1>;
template <class Container, class Allocator, class Type = typename Container::value_type,
          detail::enable_if<!std::is_convertible_v<Allocator, property_list>> = 0>
buffer(Container &, Allocator, const property_list & = {}) -> buffer<std::remove_const_t<Type>, 1, Allocator>;

// A reduction into the only element of a buffer.
template <class Type, class Allocator, class Operation, detail::if_combiner<Operation> = 0>
auto reduction(buffer<Type, 1, Allocator> variable, handler &group, Operation combine, const property_list &list = {}) {
  return detail::make_reduction<Type, 0>(group.sinter_variable(variable, list), combine, list);
}
template <class Type, class Allocator, class Operation, detail::if_combiner<Operation> = 0>
auto reduction(buffer<Type, 1, Allocator> variable, handler &group, const detail::no_deduction<Type> &identity,
               Operation combine, const property_list &list = {}) {
  return detail::make_reduction<Type, 0>(group.sinter_variable(variable, list), identity, combine, list);
}

} // namespace sycl

template <class Type, int Dimensions, class Allocator> struct std::hash<sycl::buffer<Type, Dimensions, Allocator>> {
  std::size_t operator()(const sycl::buffer<Type, Dimensions, Allocator> &value) const noexcept {
    return value.sinter_hash();
  }
};

#endif
