// Forwards a path that programs include.
#include "../memory/image.hpp"
