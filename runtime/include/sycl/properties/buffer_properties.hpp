// Forwards a path that programs include.
#include "../memory/buffer.hpp"
