// Calls the translator library, whose path is the first argument, on this thread: for the requests
// in the following files, of which the first is used with an observer, and then again while no file
// can be opened or written.
#include <dlfcn.h>

#include <cstdint>
#include <fstream>
#include <iterator>

#include "../programs/check.hpp"
#include "state.hpp"

namespace {

using Translate = std::int32_t (*)(const char *, std::size_t, const char *, std::size_t, unsigned char **, std::size_t *);
using Free = void (*)(unsigned char *, std::size_t);

struct Translator {
  Translate translate;
  Free free;

  explicit Translator(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != nullptr);
    translate = reinterpret_cast<Translate>(dlsym(library, "sinter_translate"));
    free = reinterpret_cast<Free>(dlsym(library, "sinter_translate_free"));
    CHECK(translate && free);
  }

  // A response that starts with a zero has code.
  bool succeeds(const std::string &request, const std::string &observer) const {
    unsigned char *answer = nullptr;
    std::size_t size = 0;
    translate(request.data(), request.size(), observer.data(), observer.size(), &answer, &size);
    const bool is_code = size > 0 && answer[0] == 0;
    free(answer, size);
    return is_code;
  }
};

std::string contents(const char *path) {
  std::ifstream file(path, std::ios::binary);
  CHECK(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Prevents opening and writing files during its lifetime.
class NoFiles {
  rlimit descriptors, size;

  static void limit(__rlimit_resource resource, rlimit &saved) {
    CHECK(getrlimit(resource, &saved) == 0);
    const rlimit none = {0, saved.rlim_max};
    CHECK(setrlimit(resource, &none) == 0);
  }

public:
  NoFiles() {
    limit(RLIMIT_NOFILE, descriptors);
    limit(RLIMIT_FSIZE, size);
  }
  ~NoFiles() {
    setrlimit(RLIMIT_NOFILE, &descriptors);
    setrlimit(RLIMIT_FSIZE, &size);
  }
};

bool succeeds_without_files(const Translator &translator, const std::string &request, const std::string &observer) {
  const NoFiles no_files;
  return translator.succeeds(request, observer);
}

} // namespace

int main(int count, char **arguments) {
  CHECK(count > 3);
  make_unusual();
  make_alternate_stack();
  const std::string observer = contents(arguments[2]);
  const State before = state(), held = resources();
  const Translator translator(arguments[1]);
  CHECK(same("opening the translator", before, state()));
  for (int i = 3; i < count; ++i) {
    CHECK(translator.succeeds(contents(arguments[i]), observer));
    CHECK(same(arguments[i], before, state()));
    CHECK(same(arguments[i], held, resources()));
  }
  for (int i = 3; i < count; ++i)
    CHECK(succeeds_without_files(translator, contents(arguments[i]), observer));
  return pass();
}
