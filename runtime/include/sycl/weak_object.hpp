// Forwards a path that programs include.
#include "runtime/weak_object.hpp"
