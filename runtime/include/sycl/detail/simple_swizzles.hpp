// Named swizzles: every sequence of two to four of the letters x, y, z and w, or r, g, b and a, up
// to the number of elements, as members of a base class.
//
// They are there if SYCL_SIMPLE_SWIZZLES is defined, because those of four elements are hundreds.
// *Invariant:* each is swizzle() with the indices of its letters.
#ifndef SYCL_DETAIL_SIMPLE_SWIZZLES_HPP
#define SYCL_DETAIL_SIMPLE_SWIZZLES_HPP

namespace sycl::detail {

// Self is the class that inherits, with a member swizzle().
template <class Self, int Count> struct simple_swizzles {};

#ifdef SYCL_SIMPLE_SWIZZLES

#define SINTER_NAMED(name, ...)                                                                                      \
  constexpr auto name() noexcept { return static_cast<Self *>(this)->template swizzle<__VA_ARGS__>(); }              \
  constexpr auto name() const noexcept { return static_cast<const Self *>(this)->template swizzle<__VA_ARGS__>(); }

// The names that begin with the letters chosen so far, whose indices follow.
#define SINTER_XY_3(name, ...)                                                                                       \
  SINTER_NAMED(name, __VA_ARGS__)                                                                                    \
  SINTER_NAMED(name##x, __VA_ARGS__, 0) SINTER_NAMED(name##y, __VA_ARGS__, 1)
#define SINTER_XY_2(name, ...)                                                                                       \
  SINTER_NAMED(name, __VA_ARGS__) SINTER_XY_3(name##x, __VA_ARGS__, 0) SINTER_XY_3(name##y, __VA_ARGS__, 1)
#define SINTER_XY_1(name, index) SINTER_XY_2(name##x, index, 0) SINTER_XY_2(name##y, index, 1)

#define SINTER_XYZ_3(name, ...) SINTER_XY_3(name, __VA_ARGS__) SINTER_NAMED(name##z, __VA_ARGS__, 2)
#define SINTER_XYZ_2(name, ...)                                                                                      \
  SINTER_NAMED(name, __VA_ARGS__)                                                                                    \
  SINTER_XYZ_3(name##x, __VA_ARGS__, 0) SINTER_XYZ_3(name##y, __VA_ARGS__, 1) SINTER_XYZ_3(name##z, __VA_ARGS__, 2)
#define SINTER_XYZ_1(name, index)                                                                                    \
  SINTER_XYZ_2(name##x, index, 0) SINTER_XYZ_2(name##y, index, 1) SINTER_XYZ_2(name##z, index, 2)

#define SINTER_XYZW_3(name, ...) SINTER_XYZ_3(name, __VA_ARGS__) SINTER_NAMED(name##w, __VA_ARGS__, 3)
#define SINTER_XYZW_2(name, ...)                                                                                     \
  SINTER_NAMED(name, __VA_ARGS__)                                                                                    \
  SINTER_XYZW_3(name##x, __VA_ARGS__, 0) SINTER_XYZW_3(name##y, __VA_ARGS__, 1)                                      \
  SINTER_XYZW_3(name##z, __VA_ARGS__, 2) SINTER_XYZW_3(name##w, __VA_ARGS__, 3)
#define SINTER_XYZW_1(name, index)                                                                                   \
  SINTER_XYZW_2(name##x, index, 0) SINTER_XYZW_2(name##y, index, 1)                                                  \
  SINTER_XYZW_2(name##z, index, 2) SINTER_XYZW_2(name##w, index, 3)

#define SINTER_RGBA_3(name, ...)                                                                                     \
  SINTER_NAMED(name, __VA_ARGS__)                                                                                    \
  SINTER_NAMED(name##r, __VA_ARGS__, 0) SINTER_NAMED(name##g, __VA_ARGS__, 1)                                        \
  SINTER_NAMED(name##b, __VA_ARGS__, 2) SINTER_NAMED(name##a, __VA_ARGS__, 3)
#define SINTER_RGBA_2(name, ...)                                                                                     \
  SINTER_NAMED(name, __VA_ARGS__)                                                                                    \
  SINTER_RGBA_3(name##r, __VA_ARGS__, 0) SINTER_RGBA_3(name##g, __VA_ARGS__, 1)                                      \
  SINTER_RGBA_3(name##b, __VA_ARGS__, 2) SINTER_RGBA_3(name##a, __VA_ARGS__, 3)
#define SINTER_RGBA_1(name, index)                                                                                   \
  SINTER_RGBA_2(name##r, index, 0) SINTER_RGBA_2(name##g, index, 1)                                                  \
  SINTER_RGBA_2(name##b, index, 2) SINTER_RGBA_2(name##a, index, 3)

template <class Self> struct simple_swizzles<Self, 1> {
  SINTER_NAMED(xx, 0, 0) SINTER_NAMED(xxx, 0, 0, 0) SINTER_NAMED(xxxx, 0, 0, 0, 0)
};
template <class Self> struct simple_swizzles<Self, 2> {
  SINTER_XY_1(x, 0) SINTER_XY_1(y, 1)
};
template <class Self> struct simple_swizzles<Self, 3> {
  SINTER_XYZ_1(x, 0) SINTER_XYZ_1(y, 1) SINTER_XYZ_1(z, 2)
};
template <class Self> struct simple_swizzles<Self, 4> {
  SINTER_XYZW_1(x, 0) SINTER_XYZW_1(y, 1) SINTER_XYZW_1(z, 2) SINTER_XYZW_1(w, 3)
  SINTER_RGBA_1(r, 0) SINTER_RGBA_1(g, 1) SINTER_RGBA_1(b, 2) SINTER_RGBA_1(a, 3)
};

#undef SINTER_NAMED
#undef SINTER_XY_1
#undef SINTER_XY_2
#undef SINTER_XY_3
#undef SINTER_XYZ_1
#undef SINTER_XYZ_2
#undef SINTER_XYZ_3
#undef SINTER_XYZW_1
#undef SINTER_XYZW_2
#undef SINTER_XYZW_3
#undef SINTER_RGBA_1
#undef SINTER_RGBA_2
#undef SINTER_RGBA_3

#endif

} // namespace sycl::detail

#endif
