// Forwards a path that programs include.
#include "memory/atomic_ref.hpp"
