// Calls Sinter's translator like the runtime (docs/abi.md, "Translator"), and opens libraries.
#ifndef BENCHES_TRANSLATOR_HPP
#define BENCHES_TRANSLATOR_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>

namespace bench {

[[noreturn]] inline void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

inline std::string file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    fail("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline void *library(const std::string &path) {
  void *opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened)
    fail(dlerror());
  return opened;
}

template <class F> F symbol(void *from, const char *name) {
  void *found = dlsym(from, name);
  if (!found)
    fail(std::string("no symbol ") + name);
  return reinterpret_cast<F>(found);
}

// Format of the code, with the numbers of the translator's response.
enum class code_format : std::uint8_t { ptx = 1, spirv = 4 };

struct code {
  std::string bytes, entry;
};

class translator {
public:
  translator(const std::string &path, code_format makes) : from(library(path)), format(makes) {
    translate = symbol<decltype(translate)>(from, "sinter_translate");
    release = symbol<decltype(release)>(from, "sinter_translate_free");
  }

  code operator()(const std::string &request) const {
    const std::uint8_t nobody_watches[] = {0};
    std::uint8_t *answer = nullptr;
    std::size_t size = 0;
    if (translate(bytes(request), request.size(), nobody_watches, 1, &answer, &size) != 0)
      fail("sinter_translate refused its arguments");
    const code result = decode(answer, size);
    release(answer, size);
    return result;
  }

private:
  static const std::uint8_t *bytes(const std::string &t) { return reinterpret_cast<const std::uint8_t *>(t.data()); }

  // The response is postcard: 0 for success, the format, the code and the entry's name, each with
  // its length.
  code decode(const std::uint8_t *answer, std::size_t size) const {
    if (size < 3 || answer[0] != 0 || answer[1] != static_cast<std::uint8_t>(format))
      fail("the translator's response is not code of the requested format: " +
           std::string(answer, answer + std::min<std::size_t>(size, 2000)));
    const std::uint8_t *at = answer + 2, *end = answer + size;
    code result;
    result.bytes = string(at, end);
    result.entry = string(at, end);
    return result;
  }
  static std::string string(const std::uint8_t *&at, const std::uint8_t *end) {
    std::size_t length = 0;
    for (unsigned shift = 0; at < end; shift += 7) {
      length |= std::size_t(*at & 127) << shift;
      if (!(*at++ & 128))
        break;
    }
    if (length > std::size_t(end - at))
      fail("the translator's answer is cut off");
    const std::string result(at, at + length);
    at += length;
    return result;
  }

  void *from;
  code_format format;
  std::int32_t (*translate)(const std::uint8_t *, std::size_t, const std::uint8_t *, std::size_t, std::uint8_t **,
                            std::size_t *);
  void (*release)(std::uint8_t *, std::size_t);
};

} // namespace bench

#endif
