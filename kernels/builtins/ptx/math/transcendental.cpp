// Functions of libclc, some with corrected special values. The most frequent functions have their
// own files, because libclc's are longer.
#include "../../generic/libclc_corrected.hpp"
#include "libclc.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
ODD_FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
FROM_CLC1(4, logb)
FROM_CLC2(5, atan2)
FROM_CLC2(5, hypot)

F64_FROM_CLC1(4, cbrt)
F64_FROM_CLC1(3, cos)
F64_ODD_FROM_CLC1(3, erf)
F64_FROM_CLC1(4, erfc)
F64_ODD_FROM_CLC1(5, expm1)
F64_FROM_CLC1(5, log1p)
F64_ODD_FROM_CLC1(3, sin)
F64_ODD_FROM_CLC1(3, tan)
F64_FROM_CLC1(4, tanh)
F64_FROM_CLC2(3, pow)

LIBRARY1_F64(cosh, cosh)
LIBRARY1_F64(sinh, sinh)
LIBRARY1(cospi, cospi)
LIBRARY1(lgamma, lgamma)
LIBRARY1(sinpi, sinpi)
LIBRARY2(fmod, fmod)
LIBRARY2(nextafter, nextafter)
LIBRARY2(remainder, remainder)
