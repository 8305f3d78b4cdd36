// Named swizzles as members of vec: `v.zx()`, `v.bgra()`. Included inside that class.
//
// Every sequence of two to four letters exists if the vec has these elements; they return constant
// copies, as swizzle() does. Enabled by SYCL_SIMPLE_SWIZZLES, because they are hundreds of members.

// Appends a letter and its element to those chosen so far.
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

// The sequences that begin with the letters chosen so far and continue with each of the letters e,
// f, g and h of an alphabet.
#define SINTER_ROWS_4(p, i, q, j, t, k, e, f, g, h)                                                                  \
  SINTER_SWIZZLE_4(p, i, q, j, t, k, e, 0) SINTER_SWIZZLE_4(p, i, q, j, t, k, f, 1)                                  \
  SINTER_SWIZZLE_4(p, i, q, j, t, k, g, 2) SINTER_SWIZZLE_4(p, i, q, j, t, k, h, 3)
#define SINTER_ROWS_3(p, i, q, j, e, f, g, h)                                                                        \
  SINTER_SWIZZLE_3(p, i, q, j, e, 0) SINTER_SWIZZLE_3(p, i, q, j, f, 1)                                              \
  SINTER_SWIZZLE_3(p, i, q, j, g, 2) SINTER_SWIZZLE_3(p, i, q, j, h, 3)                                              \
  SINTER_ROWS_4(p, i, q, j, e, 0, e, f, g, h) SINTER_ROWS_4(p, i, q, j, f, 1, e, f, g, h)                            \
  SINTER_ROWS_4(p, i, q, j, g, 2, e, f, g, h) SINTER_ROWS_4(p, i, q, j, h, 3, e, f, g, h)
#define SINTER_ROWS_2(p, i, e, f, g, h)                                                                              \
  SINTER_SWIZZLE_2(p, i, e, 0) SINTER_SWIZZLE_2(p, i, f, 1)                                                          \
  SINTER_SWIZZLE_2(p, i, g, 2) SINTER_SWIZZLE_2(p, i, h, 3)                                                          \
  SINTER_ROWS_3(p, i, e, 0, e, f, g, h) SINTER_ROWS_3(p, i, f, 1, e, f, g, h)                                        \
  SINTER_ROWS_3(p, i, g, 2, e, f, g, h) SINTER_ROWS_3(p, i, h, 3, e, f, g, h)
#define SINTER_ROWS(e, f, g, h)                                                                                      \
  SINTER_ROWS_2(e, 0, e, f, g, h) SINTER_ROWS_2(f, 1, e, f, g, h)                                                    \
  SINTER_ROWS_2(g, 2, e, f, g, h) SINTER_ROWS_2(h, 3, e, f, g, h)

SINTER_ROWS(x, y, z, w)
SINTER_ROWS(r, g, b, a)

#undef SINTER_SWIZZLE_2
#undef SINTER_SWIZZLE_3
#undef SINTER_SWIZZLE_4
#undef SINTER_ROWS_2
#undef SINTER_ROWS_3
#undef SINTER_ROWS_4
#undef SINTER_ROWS
