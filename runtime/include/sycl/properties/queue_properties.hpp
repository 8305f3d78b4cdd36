// Forwards a path that programs include.
#include "../runtime/properties.hpp"
