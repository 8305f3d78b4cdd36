// Forwards a path that programs include.
#include "index/nd_item.hpp"
