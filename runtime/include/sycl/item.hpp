// Forwards a path that programs include.
#include "index/item.hpp"
