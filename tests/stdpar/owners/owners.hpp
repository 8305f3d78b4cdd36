// Who allocates and who frees, in a program of four parts.
#ifndef OWNERS_HPP
#define OWNERS_HPP

#include <cstddef>
#include <string>
#include <vector>

// A unit that is compiled without --stdpar.
namespace plain {
int *make(std::size_t count);
void take(int *block);
std::vector<int> counted(std::size_t count);
void extend(std::vector<int> &values, std::size_t count);
std::string joined(const std::string &left, const std::string &right);
} // namespace plain

// A library that allocates, and one that frees: compiled with --stdpar, and opened by the program.
extern "C" {
using make_function = void *(std::size_t size, int kind);
using take_function = void(void *block, int kind);
}

// Ways to allocate, each of which has its own way to free.
enum kind { by_malloc, by_new, by_array_new, by_aligned_new, by_posix_memalign, by_strdup, kinds };

#endif
