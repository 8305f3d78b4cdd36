// Measures the errors of the functions of SYCL on numbers, on the default device.
//
//   numerics [--count LOG2] [--seconds N] [--shard I/N] [--only NAME,...] [--types TYPE,...]
//            [--code host|device] [--output FILE]
//
// --count    tries 2^LOG2 arguments of a function of one f32 number (default 24; 32 is all), 2^26
//            at most of several, and 2^22 at most of f64; all of half and bfloat16
// --seconds  goes on to the next function and type after this time
// --shard    measures each Nth function only, beginning with the Ith
// --only     measures these functions, with a name as in the table
// --types    measures these types: f32, f64, half, bfloat16
// --code     host: the functions outside of kernels
// --output   writes the lines there, instead of to standard output
//
// Out: the device, then a line for each function and type (see `line` in measure.hpp). Prints PASS
// if no error is above its bound. Exit status: 0, 1 if one is above its bound, 2 wrong usage or no
// device.
#include "cases.hpp"

#include <cstdlib>
#include <sstream>

namespace {

struct command_line {
  numerics::options chosen;
  std::size_t shard = 0, shards = 1;
  std::vector<std::string> only, types;
  const char *output = nullptr;
};

std::vector<std::string> split(const char *text) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    words.push_back(word);
  return words;
}

bool has(const std::vector<std::string> &names, const std::string &name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

bool read(command_line &line, const std::string &option, const char *value) {
  unsigned long part = 0, parts = 0;
  if (option == "--count")
    line.chosen.count = std::atoi(value);
  else if (option == "--seconds")
    line.chosen.seconds = std::atof(value);
  else if (option == "--only")
    line.only = split(value);
  else if (option == "--types")
    line.types = split(value);
  else if (option == "--code" && (value == std::string("host") || value == std::string("device")))
    line.chosen.is_host_code = value == std::string("host");
  else if (option == "--output")
    line.output = value;
  else if (option == "--shard" && std::sscanf(value, "%lu/%lu", &part, &parts) == 2 && part >= 1 && part <= parts)
    line.shard = part - 1, line.shards = parts;
  else
    return false;
  return line.chosen.count >= 1 && line.chosen.count <= 32;
}

int usage() {
  std::fprintf(stderr, "usage: numerics [--count LOG2] [--seconds N] [--shard I/N] [--only NAME,...] "
                       "[--types TYPE,...] [--code host|device] [--output FILE]\n");
  return 2;
}

// The functions that the command line selects. Returns the number of those above their bounds.
std::size_t measure(const command_line &line, std::FILE *output) {
  std::vector<numerics::measurement> all;
  numerics::add_f32(all);
  numerics::add_f64(all);
  numerics::add_half(all);
  numerics::add_bfloat16(all);
  sycl::queue queue{sycl::property::queue::in_order{}};
  std::fprintf(output, "device\t%s\n", queue.get_device().get_info<sycl::info::device::name>().c_str());
  std::size_t number = 0, above = 0;
  for (const numerics::measurement &measured : all) {
    if (!has(line.only, measured.name) || !has(line.types, measured.type) || number++ % line.shards != line.shard)
      continue;
    const std::string row = measured.run(queue, line.chosen);
    std::fputs(row.c_str(), output);
    std::fflush(output);
    above += numerics::is_above(row);
  }
  return above;
}

} // namespace

int main(int argc, char **argv) try {
  command_line line;
  for (int i = 1; i < argc; i += 2)
    if (i + 1 == argc || !read(line, argv[i], argv[i + 1]))
      return usage();
  std::FILE *output = line.output == nullptr ? stdout : std::fopen(line.output, "w");
  if (output == nullptr) {
    std::fprintf(stderr, "numerics: cannot write %s\n", line.output);
    return 2;
  }
  const std::size_t above = measure(line, output);
  if (above == 0)
    std::puts("PASS");
  return above != 0;
} catch (const sycl::exception &error) {
  std::fprintf(stderr, "numerics: %s\n", error.what());
  return 2;
}
