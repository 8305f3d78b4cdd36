// Forwards a path that programs include.
#include "../../../runtime/printf.hpp"
