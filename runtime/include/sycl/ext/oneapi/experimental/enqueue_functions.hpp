// Forwards a path that programs include.
#include "../../../runtime/enqueue_functions.hpp"
