// The host's side of a stream: the memory that work-items write to, and the text that is made of
// it.
//
// Work-items append records, which are values with their type and manipulators, not text. A record
// has the number of its work-item, so that the host puts the values of each work-item together
// again, formats them as the C library does and writes whole statements.
//
// Memory: the number of words that are used, then records. A record is a word with kind and size in
// bytes, two words with the number of the work-item, and the value.
#ifndef SYCL_DETAIL_STREAM_TEXT_HPP
#define SYCL_DETAIL_STREAM_TEXT_HPP

#include "queue_state.hpp"

#include <cstdio>

namespace sycl {

enum class stream_manipulator {
  flush,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  endl,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};

namespace detail {

enum class stream_record : std::uint32_t { end, text, manipulator, precision, width, boolean, integer, natural, single, real, pointer };
inline constexpr std::uint32_t stream_record_head = 3; // words

// The text of one work-item since its last flush, and its manipulators.
class stream_line {
public:
  std::string text;
  std::uint64_t item = 0;
  stream_line *next = nullptr;

  // Returns true for a flush.
  bool add(stream_record kind, const unsigned char *value, std::size_t size) {
    std::uint64_t number = 0;
    __builtin_memcpy(&number, value, size < sizeof(number) ? size : sizeof(number));
    switch (kind) {
    case stream_record::end:
      break;
    case stream_record::text:
      pad(std::string(reinterpret_cast<const char *>(value), size));
      break;
    case stream_record::manipulator:
      return manipulate(static_cast<stream_manipulator>(number));
    case stream_record::precision:
      precision = static_cast<int>(number);
      break;
    case stream_record::width:
      width = number;
      break;
    case stream_record::boolean:
      pad(number ? "true" : "false");
      break;
    case stream_record::integer:
      integer(number, true);
      break;
    case stream_record::natural:
      integer(number, false);
      break;
    case stream_record::single:
      real(read<float>(value));
      break;
    case stream_record::real:
      real(read<double>(value));
      break;
    case stream_record::pointer:
      format("%#llx", static_cast<unsigned long long>(number));
      break;
    }
    return false;
  }

private:
  template <class Type> static Type read(const unsigned char *value) {
    Type result;
    __builtin_memcpy(&result, value, sizeof(result));
    return result;
  }

  bool manipulate(stream_manipulator what) {
    switch (what) {
    case stream_manipulator::flush:
      return true;
    case stream_manipulator::endl:
      text += '\n';
      return true;
    case stream_manipulator::dec:
    case stream_manipulator::hex:
    case stream_manipulator::oct:
      base = what;
      break;
    case stream_manipulator::noshowbase:
    case stream_manipulator::showbase:
      shows_base = what == stream_manipulator::showbase;
      break;
    case stream_manipulator::noshowpos:
    case stream_manipulator::showpos:
      shows_plus = what == stream_manipulator::showpos;
      break;
    default:
      notation = what;
    }
    return false;
  }

  // Right-aligned, once, as std::setw.
  void pad(const std::string &value) {
    if (value.size() < width)
      text.append(width - value.size(), ' ');
    text += value;
    width = 0;
  }
  template <class Value> void format(const std::string &pattern, Value value) {
    char written[512];
    std::snprintf(written, sizeof(written), pattern.c_str(), value);
    pad(written);
  }
  void integer(std::uint64_t number, bool has_sign) {
    std::string pattern = "%";
    const bool decimal = base == stream_manipulator::dec;
    if (shows_base && !decimal)
      pattern += '#';
    if (shows_plus && decimal && has_sign)
      pattern += '+';
    pattern += "ll";
    pattern += base == stream_manipulator::hex ? 'x' : base == stream_manipulator::oct ? 'o' : has_sign ? 'd' : 'u';
    format(pattern, static_cast<unsigned long long>(number));
  }
  void real(double value) {
    const bool has_precision = notation != stream_manipulator::hexfloat;
    std::string pattern = shows_plus ? "%+" : "%";
    if (has_precision)
      pattern += '.' + std::to_string(precision);
    pattern += notation == stream_manipulator::fixed        ? 'f'
               : notation == stream_manipulator::scientific ? 'e'
               : notation == stream_manipulator::hexfloat   ? 'a'
                                                            : 'g';
    format(pattern, value);
  }

  stream_manipulator base = stream_manipulator::dec;
  stream_manipulator notation = stream_manipulator::defaultfloat;
  bool shows_base = false, shows_plus = false;
  int precision = 6;
  std::size_t width = 0;
};

// The work-items that have written, by their numbers.
class stream_lines {
public:
  stream_lines() = default;
  stream_lines(const stream_lines &) = delete;
  stream_lines &operator=(const stream_lines &) = delete;
  ~stream_lines() {
    for (stream_line *one : all)
      delete one;
  }

  stream_line &of(std::uint64_t item) {
    stream_line *&first = buckets[item * 0x9e3779b97f4a7c15u >> 56];
    for (stream_line *one = first; one; one = one->next)
      if (one->item == item)
        return *one;
    all.push_back(new stream_line);
    all.back()->item = item;
    all.back()->next = first;
    return *(first = all.back());
  }
  // In the order of the first record of each.
  const std::vector<stream_line *> &list() const noexcept { return all; }

private:
  std::vector<stream_line *> all;
  stream_line *buckets[256] = {};
};

// The memory of one stream in one command group.
class stream_memory : public counted {
public:
  stream_memory(const shared<queue_state> &queue, std::size_t text_size) : state(queue), limit(text_size) {
    // Each value has about as many bytes of head as of text.
    constexpr std::size_t head = 24, least = 1024, most = std::size_t(64) << 20;
    const std::size_t bytes = least + (limit < most / head ? limit * head : most);
    words = static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t));
    const std::uint32_t device = state->target.sinter_number();
    is_copied = !state->target.is_cpu();
    check(sinter_malloc(device, SINTER_MEMORY_HOST, bytes, 0, &host));
    if (!is_copied)
      used = host;
    else
      allocate_on_device(device, bytes);
  }
  ~stream_memory() {
    if (is_used)
      sinter_queue_wait_all(state->get());
    if (is_copied)
      sinter_free(used);
    sinter_free(host);
  }

  // Empties the memory, before the kernel.
  void begin() {
    const unsigned char zero = 0;
    is_used = true;
    check(sinter_queue_fill(state->get(), used, &zero, 1, sizeof(std::uint32_t), nullptr));
  }
  // Prints, after the kernel. Returns the ticket.
  static std::uint64_t end(const shared<stream_memory> &self) {
    std::uint64_t ticket = 0;
    sinter_queue *const queue = self->state->get();
    if (self->is_copied)
      check(sinter_queue_memcpy(queue, self->host, self->used, self->words * sizeof(std::uint32_t), nullptr));
    check(sinter_queue_host_task(queue, print_all, forget, new shared<stream_memory>(self), &ticket));
    self->is_used = false;
    return ticket;
  }

  std::uint32_t *device_words() const noexcept { return static_cast<std::uint32_t *>(used); }
  std::uint32_t capacity() const noexcept { return words - 1; }

  shared<stream_memory> next;

private:
  void allocate_on_device(std::uint32_t device, std::size_t bytes) {
    const sinter_status status = sinter_malloc(device, SINTER_MEMORY_DEVICE, bytes, 0, &used);
    if (status == SINTER_SUCCESS)
      return;
    const exception error = failure(status);
    sinter_free(host);
    throw error;
  }

  static void forget(void *self) { delete static_cast<shared<stream_memory> *>(self); }
  static void print_all(void *self) {
    const shared<stream_memory> &memory = *static_cast<shared<stream_memory> *>(self);
    try {
      memory->print();
    } catch (...) {
      memory->state->add_error(std::current_exception());
    }
  }

  void print() const {
    const std::uint32_t *const first = static_cast<const std::uint32_t *>(host), *const last = first + words;
    const std::uint32_t *const end = first[0] < capacity() ? first + 1 + first[0] : last;
    stream_lines lines;
    std::string text;
    for (const std::uint32_t *record = first + 1; record + stream_record_head <= end;) {
      const auto kind = static_cast<stream_record>(record[0] & 0xff);
      const std::uint32_t size = record[0] >> 8;
      if (kind == stream_record::end)
        break;
      stream_line &line = lines.of(record[1] | std::uint64_t(record[2]) << 32);
      if (line.add(kind, reinterpret_cast<const unsigned char *>(record + stream_record_head), size))
        text.append(std::exchange(line.text, {}));
      record += stream_record_head + (size + 3) / 4;
    }
    for (const stream_line *line : lines.list())
      text += line->text;
    if (text.size() > limit)
      text.resize(limit);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  shared<queue_state> state;
  std::size_t limit;
  std::uint32_t words = 0;
  bool is_copied = false;
  // Commands use the memory, and no host task holds it yet.
  bool is_used = false;
  void *host = nullptr, *used = nullptr;
};

} // namespace detail
} // namespace sycl

#endif
