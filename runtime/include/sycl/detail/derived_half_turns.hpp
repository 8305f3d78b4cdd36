// sinpi and cospi, for targets whose libraries lack them. To be included after derived_math.hpp, in
// its namespace.
//
// Removing half turns is exact, and the sine of the remainder vanishes only at 0, also where the
// cosine vanishes: one sine, without branches, which vectorises.

// Large numbers are even.
template <class Type> inline bool is_odd(Type whole) { return floor(whole * Type(0.5)) != whole * Type(0.5); }

// Zero keeps the sign of x, also at integers.
template <class Type> inline Type sinpi(Type x) {
  Type whole = rint(x), wave = sin(pi<Type> * (x - whole));
  Type signed_wave = is_odd(whole) ? -wave : wave;
  return signed_wave == 0 ? copysign(Type(0), x) : signed_wave;
}

template <class Type> inline Type cospi(Type x) {
  Type whole = rint(x), wave = sin(pi<Type> * (Type(0.5) - fabs(x - whole)));
  Type signed_wave = is_odd(whole) ? -wave : wave;
  return signed_wave == 0 ? Type(0) : signed_wave;
}
