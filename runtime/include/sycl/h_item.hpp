// Forwards a path that programs include.
#include "index/h_item.hpp"
