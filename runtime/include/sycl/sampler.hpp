// Forwards a path that programs include.
#include "memory/sampler.hpp"
