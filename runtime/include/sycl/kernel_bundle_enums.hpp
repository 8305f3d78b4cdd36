// Forwards a path that programs include.
#include "runtime/kernel_bundle.hpp"
