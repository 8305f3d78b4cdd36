// stream: text from kernels.
//
// Device code appends values to a buffer, which the host turns into text when the kernel is
// complete (stream_text.hpp). What a work-item writes up to a flush, an endl or its end is written
// as a whole.
#ifndef SYCL_STREAM_HPP
#define SYCL_STREAM_HPP

#include "../index/h_item.hpp"
#include "../memory/atomic_ref.hpp"
#include "../memory/multi_ptr.hpp"
#include "../types/vec.hpp"
#include "handler.hpp"

namespace sycl {

inline constexpr stream_manipulator flush = stream_manipulator::flush;
inline constexpr stream_manipulator dec = stream_manipulator::dec;
inline constexpr stream_manipulator hex = stream_manipulator::hex;
inline constexpr stream_manipulator oct = stream_manipulator::oct;
inline constexpr stream_manipulator noshowbase = stream_manipulator::noshowbase;
inline constexpr stream_manipulator showbase = stream_manipulator::showbase;
inline constexpr stream_manipulator noshowpos = stream_manipulator::noshowpos;
inline constexpr stream_manipulator showpos = stream_manipulator::showpos;
inline constexpr stream_manipulator endl = stream_manipulator::endl;
inline constexpr stream_manipulator fixed = stream_manipulator::fixed;
inline constexpr stream_manipulator scientific = stream_manipulator::scientific;
inline constexpr stream_manipulator hexfloat = stream_manipulator::hexfloat;
inline constexpr stream_manipulator defaultfloat = stream_manipulator::defaultfloat;

// The names of the types are the standard's.
class __precision_manipulator__ {
public:
  constexpr explicit __precision_manipulator__(int digits) noexcept : value(digits) {}
  constexpr int precision() const noexcept { return value; }

private:
  int value;
};
class __width_manipulator__ {
public:
  constexpr explicit __width_manipulator__(int columns) noexcept : value(columns) {}
  constexpr int width() const noexcept { return value; }

private:
  int value;
};
inline __precision_manipulator__ setprecision(int precision) { return __precision_manipulator__(precision); }
inline __width_manipulator__ setw(int width) { return __width_manipulator__(width); }

class stream {
public:
  // The first size limits the text of all work-items, in bytes. The second one is that of a
  // statement, which may be longer here.
  stream(std::size_t total_size, std::size_t statement_size, handler &group, const property_list & = {})
      : all(total_size), statement(statement_size) {
    const detail::stream_memory &memory = group.sinter_add_stream(total_size);
    words = memory.device_words();
    capacity = memory.capacity();
  }

  std::size_t size() const noexcept { return all; }
  std::size_t get_size() const noexcept { return all; }
  std::size_t get_work_item_buffer_size() const noexcept { return statement; }
  std::size_t get_max_statement_size() const noexcept { return statement; }
  // No property is a stream's.
  template <class Property> bool has_property() const noexcept { return false; }
  template <class Property> Property get_property() const { return property_list().get_property<Property>(); }

  SINTER_OWNER_BEFORE
  friend bool operator==(const stream &a, const stream &b) noexcept { return a.words == b.words; }
  friend bool operator!=(const stream &a, const stream &b) noexcept { return a.words != b.words; }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(words); }

  // For the operators: appends a record with the bytes of a value.
  void sinter_put(detail::stream_record kind, const void *value, std::uint32_t bytes) const {
    std::uint32_t *const record = reserve(detail::stream_record_head + (bytes + 3) / 4);
    if (!record)
      return;
    const std::uint64_t item = number();
    record[0] = static_cast<std::uint32_t>(kind) | bytes << 8;
    record[1] = static_cast<std::uint32_t>(item);
    record[2] = static_cast<std::uint32_t>(item >> 32);
    unsigned char *const to = reinterpret_cast<unsigned char *>(record + detail::stream_record_head);
    for (std::uint32_t i = 0; i < bytes; ++i)
      to[i] = static_cast<const unsigned char *>(value)[i];
  }
  template <class Type> void sinter_put(detail::stream_record kind, Type value) const {
    sinter_put(kind, &value, sizeof(value));
  }
  void sinter_put(const char *text) const {
    std::uint32_t length = 0;
    while (text[length] != '\0')
      ++length;
    sinter_put(detail::stream_record::text, text, length);
  }

private:
  // Room for a record; null if there is none. The first one that does not fit marks the end.
  std::uint32_t *reserve(std::uint32_t count) const {
    const atomic_ref<std::uint32_t, memory_order::relaxed, memory_scope::device, access::address_space::global_space>
        used(words[0]);
    if (used.load() >= capacity)
      return nullptr;
    const std::uint32_t start = used.fetch_add(count);
    if (start < capacity && count <= capacity - start)
      return words + 1 + start;
    if (start < capacity)
      words[1 + start] = static_cast<std::uint32_t>(detail::stream_record::end);
    return nullptr;
  }

  // The number of the work-item among all, which may leave numbers out.
  static std::uint64_t number() noexcept {
    using namespace detail;
    return (global_id(2) * global_size(1) + global_id(1)) * global_size(0) + global_id(0);
  }

  std::size_t all, statement;
  std::uint32_t *words = nullptr;
  std::uint32_t capacity = 0;
};

inline const stream &operator<<(const stream &out, stream_manipulator value) {
  out.sinter_put(detail::stream_record::manipulator, static_cast<std::uint32_t>(value));
  return out;
}
inline const stream &operator<<(const stream &out, const __precision_manipulator__ &value) {
  out.sinter_put(detail::stream_record::precision, value.precision());
  return out;
}
inline const stream &operator<<(const stream &out, const __width_manipulator__ &value) {
  out.sinter_put(detail::stream_record::width, value.width());
  return out;
}

namespace detail {

template <class Type> inline constexpr bool is_stream_number = std::is_arithmetic_v<Type>;

template <class Type> void put_number(const stream &out, Type value) {
  if constexpr (std::is_same_v<Type, char>)
    out.sinter_put(stream_record::text, value);
  else if constexpr (std::is_same_v<Type, bool>)
    out.sinter_put(stream_record::boolean, static_cast<std::uint32_t>(value));
  else if constexpr (std::is_same_v<Type, double>)
    out.sinter_put(stream_record::real, value);
  else if constexpr (std::is_floating_point_v<Type>)
    out.sinter_put(stream_record::single, static_cast<float>(value));
  else if constexpr (std::is_signed_v<Type>)
    out.sinter_put(stream_record::integer, static_cast<std::int64_t>(value));
  else
    out.sinter_put(stream_record::natural, static_cast<std::uint64_t>(value));
}

// Indices in braces.
template <class Index> const stream &put_index(const stream &out, const Index &index) {
  out.sinter_put("{");
  for (int d = 0; d < Index::dimensions; ++d) {
    if (d != 0)
      out.sinter_put(", ");
    put_number(out, index[d]);
  }
  out.sinter_put("}");
  return out;
}

} // namespace detail

template <class Type, detail::enable_if<detail::is_stream_number<Type>> = 0>
const stream &operator<<(const stream &out, const Type &value) {
  detail::put_number(out, value);
  return out;
}
// Types that convert to float, such as half.
template <class Type,
          detail::enable_if<!detail::is_stream_number<Type> && !std::is_enum_v<Type> &&
                            std::is_same_v<decltype(static_cast<float>(std::declval<Type>() + Type(1.0f))), float> &&
                            sizeof(Type) == 2> = 0>
const stream &operator<<(const stream &out, const Type &value) {
  detail::put_number(out, static_cast<float>(value));
  return out;
}
inline const stream &operator<<(const stream &out, const char *text) {
  out.sinter_put(text);
  return out;
}
inline const stream &operator<<(const stream &out, char *text) { return out << static_cast<const char *>(text); }
template <class Type, detail::enable_if<!std::is_same_v<std::remove_cv_t<Type>, char>> = 0>
const stream &operator<<(const stream &out, Type *pointer) {
  out.sinter_put(detail::stream_record::pointer, static_cast<std::uint64_t>(reinterpret_cast<std::size_t>(pointer)));
  return out;
}
template <class Type, access::address_space Space, access::decorated Decorated>
const stream &operator<<(const stream &out, const multi_ptr<Type, Space, Decorated> &pointer) {
  return out << static_cast<const volatile void *>(pointer.get());
}
template <class Type, int Count> const stream &operator<<(const stream &out, const vec<Type, Count> &value) {
  for (int i = 0; i < Count; ++i)
    (i == 0 ? out : out << ", ") << value[i];
  return out;
}
template <int Dims> const stream &operator<<(const stream &out, const id<Dims> &value) {
  return detail::put_index(out, value);
}
template <int Dims> const stream &operator<<(const stream &out, const range<Dims> &value) {
  return detail::put_index(out, value);
}
template <int Dims> const stream &operator<<(const stream &out, const nd_range<Dims> &value) {
  return out << "nd_range(global_range: " << value.get_global_range() << ", local_range: " << value.get_local_range()
             << ')';
}
template <int Dims, bool With> const stream &operator<<(const stream &out, const item<Dims, With> &value) {
  return out << "item(range: " << value.get_range() << ", id: " << value.get_id() << ')';
}
template <int Dims> const stream &operator<<(const stream &out, const group<Dims> &value) {
  return out << "group(id: " << value.get_group_id() << ", local_range: " << value.get_local_range()
             << ", group_range: " << value.get_group_range() << ')';
}
template <int Dims> const stream &operator<<(const stream &out, const nd_item<Dims> &value) {
  return out << "nd_item(global_id: " << value.get_global_id() << ", local_id: " << value.get_local_id() << ')';
}

template <int Dims> const stream &operator<<(const stream &out, const h_item<Dims> &value) {
  return out << "h_item(global: " << value.get_global() << ", logical local: " << value.get_logical_local()
             << ", physical local: " << value.get_physical_local() << ')';
}
inline const stream &operator<<(const stream &out, const sub_group &value) {
  return out << "sub_group(id: " << value.get_group_id() << ", local_range: " << value.get_local_range() << ')';
}

} // namespace sycl

template <> struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream &value) const noexcept { return value.sinter_hash(); }
};

#endif
