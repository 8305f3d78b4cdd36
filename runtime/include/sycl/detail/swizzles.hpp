// The swizzles by name of vec, members of it: `v.zx()`, `v.bgra()`. Included where that class is defined.
//
// Every row of two to four letters is there where the vec has these elements; they give constant copies, as swizzle()
// does. A program asks for them with SYCL_SIMPLE_SWIZZLES, because they are hundreds of members.

// A letter and its element behind those that are chosen already.
#define SINTER_SWIZZLE_2(a, i, b, j)                                                                                 \
  template <int Width = Count, detail::enable_if<(i < Width && j < Width && Width <= 4)> = 0>                        \
  constexpr const auto a##b() const noexcept {                                                                       \
    return this->template swizzle<i, j>();                                                                           \
  }
#define SINTER_SWIZZLE_3(a, i, b, j, c, k)                                                                           \
  template <int Width = Count, detail::enable_if<(i < Width && j < Width && k < Width && Width <= 4)> = 0>           \
  constexpr const auto a##b##c() const noexcept {                                                                    \
    return this->template swizzle<i, j, k>();                                                                        \
  }
#define SINTER_SWIZZLE_4(a, i, b, j, c, k, d, l)                                                                     \
  template <int Width = Count,                                                                                        \
            detail::enable_if<(i < Width && j < Width && k < Width && l < Width && Width <= 4)> = 0>\
  constexpr const auto a##b##c##d() const noexcept {                                                                 \
    return this->template swizzle<i, j, k, l>();                                                                     \
  }

#define SINTER_XYZW_4(p, i, q, j, t, k)                                                                              \
  SINTER_SWIZZLE_4(p, i, q, j, t, k, x, 0) SINTER_SWIZZLE_4(p, i, q, j, t, k, y, 1)                                  \
  SINTER_SWIZZLE_4(p, i, q, j, t, k, z, 2) SINTER_SWIZZLE_4(p, i, q, j, t, k, w, 3)
#define SINTER_XYZW_3(p, i, q, j)                                                                                    \
  SINTER_SWIZZLE_3(p, i, q, j, x, 0) SINTER_SWIZZLE_3(p, i, q, j, y, 1)                                              \
  SINTER_SWIZZLE_3(p, i, q, j, z, 2) SINTER_SWIZZLE_3(p, i, q, j, w, 3)                                              \
  SINTER_XYZW_4(p, i, q, j, x, 0) SINTER_XYZW_4(p, i, q, j, y, 1)                                                    \
  SINTER_XYZW_4(p, i, q, j, z, 2) SINTER_XYZW_4(p, i, q, j, w, 3)
#define SINTER_XYZW_2(p, i)                                                                                          \
  SINTER_SWIZZLE_2(p, i, x, 0) SINTER_SWIZZLE_2(p, i, y, 1)                                                          \
  SINTER_SWIZZLE_2(p, i, z, 2) SINTER_SWIZZLE_2(p, i, w, 3)                                                          \
  SINTER_XYZW_3(p, i, x, 0) SINTER_XYZW_3(p, i, y, 1)                                                                \
  SINTER_XYZW_3(p, i, z, 2) SINTER_XYZW_3(p, i, w, 3)
#define SINTER_RGBA_4(p, i, q, j, t, k)                                                                              \
  SINTER_SWIZZLE_4(p, i, q, j, t, k, r, 0) SINTER_SWIZZLE_4(p, i, q, j, t, k, g, 1)                                  \
  SINTER_SWIZZLE_4(p, i, q, j, t, k, b, 2) SINTER_SWIZZLE_4(p, i, q, j, t, k, a, 3)
#define SINTER_RGBA_3(p, i, q, j)                                                                                    \
  SINTER_SWIZZLE_3(p, i, q, j, r, 0) SINTER_SWIZZLE_3(p, i, q, j, g, 1)                                              \
  SINTER_SWIZZLE_3(p, i, q, j, b, 2) SINTER_SWIZZLE_3(p, i, q, j, a, 3)                                              \
  SINTER_RGBA_4(p, i, q, j, r, 0) SINTER_RGBA_4(p, i, q, j, g, 1)                                                    \
  SINTER_RGBA_4(p, i, q, j, b, 2) SINTER_RGBA_4(p, i, q, j, a, 3)
#define SINTER_RGBA_2(p, i)                                                                                          \
  SINTER_SWIZZLE_2(p, i, r, 0) SINTER_SWIZZLE_2(p, i, g, 1)                                                          \
  SINTER_SWIZZLE_2(p, i, b, 2) SINTER_SWIZZLE_2(p, i, a, 3)                                                          \
  SINTER_RGBA_3(p, i, r, 0) SINTER_RGBA_3(p, i, g, 1)                                                                \
  SINTER_RGBA_3(p, i, b, 2) SINTER_RGBA_3(p, i, a, 3)

SINTER_XYZW_2(x, 0) SINTER_XYZW_2(y, 1) SINTER_XYZW_2(z, 2) SINTER_XYZW_2(w, 3)
SINTER_RGBA_2(r, 0) SINTER_RGBA_2(g, 1) SINTER_RGBA_2(b, 2) SINTER_RGBA_2(a, 3)

#undef SINTER_SWIZZLE_2
#undef SINTER_XYZW_2
#undef SINTER_RGBA_2
#undef SINTER_SWIZZLE_3
#undef SINTER_XYZW_3
#undef SINTER_RGBA_3
#undef SINTER_SWIZZLE_4
#undef SINTER_XYZW_4
#undef SINTER_RGBA_4
