// Integers in registers and local memory: edit distance by dynamic programming, and the queens
// puzzle.
#ifndef BENCHES_GPU_PATTERNS_PUZZLES_HPP
#define BENCHES_GPU_PATTERNS_PUZZLES_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int word_length = 256;

// Levenshtein distances of pairs of words. A group computes one pair along the antidiagonals of its
// table.
struct distances : pattern {
  std::size_t pairs;
  const std::uint8_t *words;
  int *out;

  // One of four letters.
  static std::uint8_t letter(std::size_t i) { return std::uint8_t(random_word(241, i) % 4); }

  template <class Device>
  distances(Device &device, bool small)
      : pairs(sized(small, 1 << 13, 1 << 4)), words(device.upload(filled(2 * pairs * word_length, letter))),
        out(device.template allocate<int>(pairs)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, pairs); }

  static int wanted(std::size_t pair) {
    const auto a = filled(word_length, [=](std::size_t i) { return letter(2 * pair * word_length + i); });
    const auto b = filled(word_length, [=](std::size_t i) { return letter((2 * pair + 1) * word_length + i); });
    std::vector<int> row = filled(word_length + 1, [](std::size_t i) { return int(i); });
    for (std::size_t i = 1; i <= word_length; i++) {
      int before = row[0];
      row[0] = int(i);
      for (std::size_t j = 1; j <= word_length; j++) {
        const int here = row[j];
        row[j] = std::min(std::min(row[j], row[j - 1]) + 1, before + (a[i - 1] != b[j - 1]));
        before = here;
      }
    }
    return row[word_length];
  }
  // Compares every 16th pair.
  template <class Device> bool correct(Device &device) const {
    const std::vector<int> all = device.read(out, pairs);
    return same("distances", filled(pairs / 16, [&](std::size_t i) { return all[16 * i]; }),
                filled(pairs / 16, [](std::size_t i) { return wanted(16 * i); }));
  }
};

// A placement of queens in the first rows: the occupied columns and diagonals.
struct beginning {
  unsigned columns, left, right;
};

constexpr int most_queens = 16;

// Number of solutions that complete a placement, by backtracking through the rows.
BENCH_SHARED unsigned completions(beginning from, int rows, unsigned board) {
  unsigned free[most_queens], columns[most_queens], left[most_queens], right[most_queens], count = 0;
  int row = 0;
  columns[0] = from.columns, left[0] = from.left, right[0] = from.right;
  free[0] = board & ~(from.columns | from.left | from.right);
  while (row >= 0) {
    if (free[row] == 0) {
      row--;
      continue;
    }
    const unsigned queen = free[row] & (0u - free[row]);
    free[row] ^= queen;
    if (row + 1 == rows) {
      count++;
      continue;
    }
    columns[row + 1] = columns[row] | queen;
    left[row + 1] = (left[row] | queen) << 1;
    right[row + 1] = (right[row] | queen) >> 1;
    row++;
    free[row] = board & ~(columns[row] | left[row] | right[row]);
  }
  return count;
}

struct queens : pattern {
  static constexpr int given_rows = 4;

  int side;
  std::size_t count, padded;
  const beginning *beginnings;
  unsigned *out;

  static void begin(beginning at, int rows, unsigned board, std::vector<beginning> &all) {
    if (rows == 0)
      all.push_back(at);
    else
      for (unsigned queen = 1; queen <= board; queen <<= 1)
        if (queen & ~(at.columns | at.left | at.right))
          begin({at.columns | queen, (at.left | queen) << 1, (at.right | queen) >> 1}, rows - 1, board, all);
  }
  unsigned board() const { return (1u << side) - 1; }
  std::vector<beginning> made() const {
    std::vector<beginning> all;
    begin({0, 0, 0}, given_rows, board(), all);
    return all;
  }

  template <class Device>
  queens(Device &device, bool small)
      : side(small ? 9 : 14), count(made().size()), padded((count + group_size - 1) / group_size * group_size),
        beginnings(device.upload(made())), out(device.template allocate<unsigned>(count)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, count); }

  // Compares with the known numbers of solutions.
  template <class Device> bool correct(Device &device) const {
    long long found = 0;
    for (const unsigned part : device.read(out, count))
      found += part;
    return same<long long>("queens", {found}, {side == 9 ? 352 : 365596});
  }
};

} // namespace gpu::patterns

#endif
