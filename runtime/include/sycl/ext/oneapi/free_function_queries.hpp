// Forwards a path that programs include.
#include "../../index/this_work_item.hpp"
