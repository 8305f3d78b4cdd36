// Forwards a path that programs include.
#include "math/dot_product.hpp"
