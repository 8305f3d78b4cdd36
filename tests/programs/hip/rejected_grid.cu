// error: barriers of a grid (cooperative launches) are not supported
// Blocks of a launch do not run at the same time.
#include <cooperative_groups.h>

__global__ void wait_for_all() { cooperative_groups::this_grid().sync(); }

int main() { wait_for_all<<<2, 32>>>(); }
