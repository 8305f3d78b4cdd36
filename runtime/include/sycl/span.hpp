// Forwards a path that programs include.
#include "types/span.hpp"
