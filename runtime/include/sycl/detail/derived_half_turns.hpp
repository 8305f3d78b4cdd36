// Sine and cosine of half turns, for where no library has them. To be included behind derived_math.hpp, in its namespace.
template <class T> struct turn {
  T rest;      // in half turns, at most 1/4 in magnitude
  int quarter; // 0 to 3
};

// Splits |x| half turns, exactly: every intermediate value is representable.
template <class T> inline turn<T> split_turn(T x) {
  T a = fabs(x);
  T r = a - 2 * trunc(a * T(0.5));
  // 1 for what has no whole turns to take off: infinities and NaN end up as NaN in `r`.
  T n = rint(2 * r);
  int quarter = n == n ? (int)n & 3 : 0;
  return {r - n * T(0.5), quarter};
}

template <class T> inline T quarter_wave(turn<T> t, int shift) {
  int q = (t.quarter + shift) & 3;
  T angle = t.rest * pi<T>;
  T wave = (q & 1) ? cos(angle) : sin(angle);
  T signed_wave = (q & 2) ? -wave : wave;
  return signed_wave == 0 ? T(0) : signed_wave;
}

// Zero keeps the sign of x, also at whole numbers.
template <class T> inline T sinpi(T x) {
  T wave = quarter_wave(split_turn(x), 0);
  return __builtin_signbit(x) ? -wave : wave;
}

template <class T> inline T cospi(T x) { return quarter_wave(split_turn(x), 1); }
