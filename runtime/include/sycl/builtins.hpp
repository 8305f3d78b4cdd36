// Forwards a path that programs include.
#include "math/geometric.hpp"
#include "math/integer.hpp"
#include "math/math.hpp"
#include "math/relational.hpp"
#include "math/vec_math.hpp"
