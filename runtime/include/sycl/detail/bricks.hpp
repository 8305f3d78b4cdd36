// Copies and fills of boxes: lengths and pitches of both sides.
#ifndef SYCL_DETAIL_BRICKS_HPP
#define SYCL_DETAIL_BRICKS_HPP

#include "../../sinter/sinter.h"
#include <cstdint>

#include <cstdint>

namespace sycl::detail {

struct brick_lengths {
  std::uint64_t lengths[3], destination_pitches[2], source_pitches[2];

  void set_lengths(const sinter_box &box) noexcept {
    lengths[0] = box.width;
    lengths[1] = box.height;
    lengths[2] = box.depth;
  }
  // The pitches of a box whose bytes are adjacent.
  void set_dense(std::uint64_t (&pitches)[2]) const noexcept {
    pitches[0] = lengths[0];
    pitches[1] = lengths[0] * lengths[1];
  }
  static void set_pitches(std::uint64_t (&pitches)[2], const sinter_box &box) noexcept {
    pitches[0] = box.row_pitch;
    pitches[1] = box.plane_pitch;
  }
  static bool is_dense(const sinter_box &box) noexcept {
    return (box.height == 1 || box.row_pitch == box.width) &&
           (box.depth == 1 || box.plane_pitch == box.width * box.height);
  }

  // Returns true if the command has work.
  bool describe(sinter_command &command, sinter_command_kind kind) const noexcept {
    command.kind = kind;
    for (int d = 0; d < 3; ++d)
      command.lengths[d] = lengths[d];
    for (int d = 0; d < 2; ++d) {
      command.destination_pitches[d] = destination_pitches[d];
      command.source_pitches[d] = source_pitches[d];
    }
    return lengths[0] != 0 && lengths[1] != 0 && lengths[2] != 0;
  }
};

} // namespace sycl::detail

#endif
