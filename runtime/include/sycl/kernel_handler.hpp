// Forwards a path that programs include.
#include "runtime/specialization.hpp"
