// Dot products of four bytes with an accumulator (sycl_ext_oneapi_dot_accumulate), and loads of
// constant memory by CUDA's name.
#ifndef SYCL_DOT_PRODUCT_HPP
#define SYCL_DOT_PRODUCT_HPP

#include "../types/vec.hpp"

#define SYCL_EXT_ONEAPI_DOT_ACCUMULATE 1
#define SYCL_EXT_ONEAPI_CUDA_TEX_CACHE_READ 1

namespace sycl::detail {

template <class Left, class Right> std::int32_t dot_of_bytes(std::uint32_t a, std::uint32_t b, std::int32_t sum) {
  for (int byte = 0; byte < 4; ++byte)
    sum += std::int32_t(static_cast<Left>(a >> 8 * byte)) * std::int32_t(static_cast<Right>(b >> 8 * byte));
  return sum;
}
template <class Left, class Right>
std::int32_t dot_of_vectors(const vec<Left, 4> &a, const vec<Right, 4> &b, std::int32_t sum) {
  for (int byte = 0; byte < 4; ++byte)
    sum += std::int32_t(a[byte]) * std::int32_t(b[byte]);
  return sum;
}

} // namespace sycl::detail

namespace sycl::ext::oneapi {

// Four signed or unsigned bytes in an integer of the same signedness.
#define SINTER_DOT(left, left_byte, right, right_byte)                                                               \
  inline std::int32_t dot_acc(left a, right b, std::int32_t c) {                                                     \
    return detail::dot_of_bytes<left_byte, right_byte>(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), c); \
  }                                                                                                                  \
  inline std::int32_t dot_acc(const vec<left_byte, 4> &a, const vec<right_byte, 4> &b, std::int32_t c) {             \
    return detail::dot_of_vectors(a, b, c);                                                                          \
  }
SINTER_DOT(std::int32_t, std::int8_t, std::int32_t, std::int8_t)
SINTER_DOT(std::int32_t, std::int8_t, std::uint32_t, std::uint8_t)
SINTER_DOT(std::uint32_t, std::uint8_t, std::int32_t, std::int8_t)
SINTER_DOT(std::uint32_t, std::uint8_t, std::uint32_t, std::uint8_t)
#undef SINTER_DOT

// A load from memory that no kernel writes meanwhile.
namespace experimental::cuda {

template <class Type> inline Type ldg(const Type *pointer) noexcept { return *pointer; }

} // namespace experimental::cuda
} // namespace sycl::ext::oneapi

#endif
