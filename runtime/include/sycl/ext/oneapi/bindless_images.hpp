// Forwards a path that programs include.
#include "../../memory/bindless_images.hpp"
