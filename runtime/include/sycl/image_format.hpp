// Forwards a path that programs include.
#include "memory/image_format.hpp"
