// Forwards a path that programs include.
#include "../../../memory/device_global.hpp"
