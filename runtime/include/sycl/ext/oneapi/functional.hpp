// Forwards a path that programs include.
#include "../../types/functional.hpp"
