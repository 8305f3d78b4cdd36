// Forwards a path that programs include.
#include "../../../groups/group_load_store.hpp"
