// Forwards a path that programs include.
#include "../runtime/khr_commands.hpp"
