// Sine and cosine of half turns, for where no library has them. To be included behind derived_math.hpp, in its namespace.
//
// Removing half turns is exact, and what is left has a sine that vanishes only at 0, also where the cosine vanishes: one
// sine, without branches, which vectorises.

// Large numbers are even.
template <class T> inline bool is_odd(T whole) { return floor(whole * T(0.5)) != whole * T(0.5); }

// Zero keeps the sign of x, also at whole numbers.
template <class T> inline T sinpi(T x) {
  T whole = rint(x), wave = sin(pi<T> * (x - whole));
  T signed_wave = is_odd(whole) ? -wave : wave;
  return signed_wave == 0 ? copysign(T(0), x) : signed_wave;
}

template <class T> inline T cospi(T x) {
  T whole = rint(x), wave = sin(pi<T> * (T(0.5) - fabs(x - whole)));
  T signed_wave = is_odd(whole) ? -wave : wave;
  return signed_wave == 0 ? T(0) : signed_wave;
}
