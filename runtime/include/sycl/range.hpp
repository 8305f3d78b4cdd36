// Forwards a path that programs include.
#include "index/range.hpp"
