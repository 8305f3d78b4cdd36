// Writes an RGB picture as PNG, using only the C library.
//
// The pixels are stored, not compressed (deflate allows blocks of up to 65,535 raw bytes), so a
// file is as large as its picture. The required parts of PNG are here: the chunks with their CRC-32
// and the Adler-32 of the zlib stream.
#ifndef SAMPLES_PNG_HPP
#define SAMPLES_PNG_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace png {

using bytes = std::vector<std::uint8_t>;

inline void append_u32(bytes &out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::uint8_t>(value >> shift));
}

inline std::uint32_t crc32(const std::uint8_t *data, std::size_t size) {
  std::uint32_t crc = 0xffffffffu;
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

inline std::uint32_t adler32(const bytes &data) {
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16) | a;
}

inline void append_chunk(bytes &out, const char (&type)[5], const bytes &content) {
  append_u32(out, static_cast<std::uint32_t>(content.size()));
  const std::size_t start = out.size();
  out.insert(out.end(), type, type + 4);
  out.insert(out.end(), content.begin(), content.end());
  append_u32(out, crc32(out.data() + start, out.size() - start));
}

// A zlib stream of stored blocks.
inline bytes zlib_stored(const bytes &raw) {
  bytes out = {0x78, 0x01};
  for (std::size_t begin = 0; begin < raw.size() || begin == 0;) {
    const std::size_t size = std::min<std::size_t>(raw.size() - begin, 65535);
    const bool last = begin + size == raw.size();
    const std::uint8_t low = static_cast<std::uint8_t>(size), high = static_cast<std::uint8_t>(size >> 8);
    out.insert(out.end(), {std::uint8_t(last), low, high, std::uint8_t(~low), std::uint8_t(~high)});
    out.insert(out.end(), raw.begin() + static_cast<std::ptrdiff_t>(begin),
               raw.begin() + static_cast<std::ptrdiff_t>(begin + size));
    begin += size;
    if (last)
      break;
  }
  append_u32(out, adler32(raw));
  return out;
}

// `rgb` holds three bytes per pixel, rows from top to bottom. False if the file cannot be written.
inline bool write(const char *path, std::uint32_t width, std::uint32_t height, const std::uint8_t *rgb) {
  bytes header;
  append_u32(header, width);
  append_u32(header, height);
  header.insert(header.end(), {8, 2, 0, 0, 0}); // 8 bits a channel, RGB, no interlacing

  bytes rows;
  rows.reserve((std::size_t(width) * 3 + 1) * height);
  for (std::uint32_t y = 0; y < height; ++y) {
    rows.push_back(0); // no filter
    const std::uint8_t *row = rgb + std::size_t(y) * width * 3;
    rows.insert(rows.end(), row, row + std::size_t(width) * 3);
  }

  bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", zlib_stored(rows));
  append_chunk(file, "IEND", {});

  std::FILE *out = std::fopen(path, "wb");
  if (!out)
    return false;
  const bool written = std::fwrite(file.data(), 1, file.size(), out) == file.size();
  return std::fclose(out) == 0 && written;
}

} // namespace png

#endif
