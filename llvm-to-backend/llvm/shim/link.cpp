// Runs lld's ELF driver between two buffers.
//
// lld takes its input and its output as paths. It writes to a temporary file that LLVM removes on
// signals: for that it replaces the process's signal handlers and the thread's alternate stack
// (`sys::RemoveFileOnSignal`). So the build renames, in its copy of lld's archives, the two
// functions by which lld reads and writes files (`RENAMED` in build.rs), and this file defines
// them. No path is opened.
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace {

// lld's global state could not be cleaned up: lld must not run again in this process.
constexpr int CannotRunAgain = 0x100;

// The running link. lld has global state, so there is one at a time.
struct Link {
  StringRef object;
  uint8_t *output = nullptr;
  size_t size = 0;
};
Link *current = nullptr;

// The output file that lld sees. The bytes are owned by the link once they are committed.
class Output final : public FileOutputBuffer {
public:
  Output(StringRef path, uint8_t *bytes, size_t size) : FileOutputBuffer(path), bytes(bytes), size(size) {}
  ~Output() override { free(bytes); }
  uint8_t *getBufferStart() const override { return bytes; }
  uint8_t *getBufferEnd() const override { return bytes + size; }
  size_t getBufferSize() const override { return size; }

  Error commit() override {
    free(current->output);
    current->output = std::exchange(bytes, nullptr);
    current->size = size;
    return Error::success();
  }

private:
  uint8_t *bytes;
  size_t size;
};

} // namespace

extern "C" {

// Replaces `MemoryBuffer::getFile`: every name gives the one input.
ErrorOr<std::unique_ptr<MemoryBuffer>> sinter_lld_read(const Twine &name, bool, bool, bool, std::optional<Align>) {
  return MemoryBuffer::getMemBuffer(current->object, name.str(), /*RequiresNullTerminator=*/false);
}

// Replaces `FileOutputBuffer::create`. lld expects zeros, as in a new file.
Expected<std::unique_ptr<FileOutputBuffer>> sinter_lld_create(StringRef path, size_t size, unsigned) {
  auto *bytes = static_cast<uint8_t *>(calloc(size ? size : 1, 1));
  if (!bytes)
    return errorCodeToError(make_error_code(errc::not_enough_memory));
  return std::make_unique<Output>(path, bytes, size);
}

// Links `object`. Returns lld's exit code, with CannotRunAgain set where that applies; `*output`,
// malloc'ed, is null if lld wrote nothing. Not reentrant.
int sinter_lld_link(const char *const *arguments, size_t count, const char *object, size_t objectSize, uint8_t **output,
                    size_t *size, char **message) {
  Link link{StringRef(object, objectSize)};
  current = &link;
  SmallString<256> text;
  raw_svector_ostream stream(text);
  lld::Result result =
      lld::lldMain(ArrayRef<const char *>(arguments, count), stream, stream, {{lld::Gnu, &lld::elf::link}});
  current = nullptr;
  *output = link.output;
  *size = link.size;
  *message = strdup(text.c_str());
  return result.retCode | (result.canRunAgain ? 0 : CannotRunAgain);
}

} // extern "C"
