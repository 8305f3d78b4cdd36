// Forwards a path that programs include.
#include "span.hpp"
