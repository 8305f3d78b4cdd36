// Pointers in objects on the heap are looked up before a kernel that follows them starts.
// memory: auto shared
// options: --stdpar
#include "where.hpp"

#include <execution>
#include <memory>

struct Mesh {
  std::vector<float> x, y;
  int *index = nullptr;
  int **regions = nullptr;
  float *const *chain = nullptr;
  Mesh *next = nullptr;
  int count = 0;
};

static constexpr int size = 20000;

// True if `y` is what the kernels below compute of `x`.
static bool is_scaled(const Mesh &mesh, float by, int reversed) {
  for (int i = 0; i != size; ++i)
    if (mesh.y[i] != by * (reversed ? size - 1 - i : i))
      return false;
  return true;
}

template <class F> static bool loop(F f) {
  return runs_on_device([&] {
    std::vector<int> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), f);
  });
}

int main() {
  const bool interposed = is_interposed();
  const auto owner = std::make_unique<Mesh>();
  Mesh &mesh = *owner;
  mesh.x.resize(size);
  mesh.y.resize(size);
  std::iota(mesh.x.begin(), mesh.x.end(), 0.0f);
  const auto index = std::make_unique<int[]>(size);
  mesh.index = index.get();
  for (int i = 0; i != size; ++i)
    index[i] = size - 1 - i;

  // Members of an object, and one behind the other.
  CHECK(loop([&mesh](int i) { mesh.y[i] = 2 * mesh.x[i]; }) && is_scaled(mesh, 2, 0));
  CHECK(loop([&mesh](int i) { mesh.y[i] = 3 * mesh.x[mesh.index[i]]; }) && is_scaled(mesh, 3, 1));
  const auto second = std::make_unique<Mesh>();
  second->next = &mesh;
  CHECK(loop([m = second.get()](int i) { m->next->y[i] = 4 * m->next->x[i]; }) && is_scaled(mesh, 4, 0));
  // None is there, and none is followed.
  CHECK(loop([m = second.get()](int i) {
    Mesh *const last = m->next->next;
    m->next->y[i] = 5 * m->next->x[i] + (last ? last->x[i] : 0);
  }));
  CHECK(is_scaled(mesh, 5, 0));

  // Arrays of pointers: an argument says which one, or each work-item does.
  const auto regions = std::make_unique<int *[]>(3);
  mesh.regions = regions.get();
  regions[1] = mesh.index;
  CHECK(loop([&mesh, r = 1](int i) { mesh.y[i] = 6 * mesh.x[mesh.regions[r][i]]; }) && is_scaled(mesh, 6, 1));
  regions[0] = regions[2] = mesh.index;
  CHECK(loop([&mesh](int i) { mesh.y[i] = 7 * mesh.x[mesh.regions[i % 3][i]]; }) != interposed);
  CHECK(is_scaled(mesh, 7, 1));

  // To the stack: at once, behind a pointer, and the object itself.
  std::vector<int> around(size);
  std::copy(index.get(), index.get() + size, around.begin());
  int local[size];
  std::copy(index.get(), index.get() + size, local);
  mesh.index = local;
  CHECK(loop([&mesh](int i) { mesh.y[i] = 8 * mesh.x[mesh.index[i]]; }) != interposed && is_scaled(mesh, 8, 1));
  mesh.index = around.data();
  CHECK(loop([&mesh](int i) { mesh.y[i] = 9 * mesh.x[mesh.index[i]]; }) && is_scaled(mesh, 9, 1));
  float *const table[] = {mesh.x.data()};
  mesh.chain = table;
  CHECK(loop([&mesh](int i) { mesh.y[i] = 10 * (*mesh.chain)[i]; }) != interposed && is_scaled(mesh, 10, 0));
  Mesh here = mesh;
  CHECK(loop([&here](int i) { here.y[i] = 11 * here.x[i]; }) != interposed && is_scaled(here, 11, 0));

  // Kernels that may change the pointers, or learn that the program has: where they write to the
  // object, and where they have atomic operations.
  CHECK(loop([&mesh](int i) {
          mesh.y[i] = 12 * mesh.x[i];
          if (i == 7)
            mesh.count = 1;
        }) != interposed);
  CHECK(is_scaled(mesh, 12, 0) && mesh.count == 1);
  const auto counter = std::make_unique<int>(0);
  CHECK(loop([&mesh, c = counter.get()](int i) {
          mesh.y[i] = 13 * mesh.x[i];
          __atomic_fetch_add(c, 1, __ATOMIC_RELAXED);
        }) != interposed);
  CHECK(is_scaled(mesh, 13, 0) && *counter == size);

  // A kernel before changes the pointer; nobody has waited for it.
  std::vector<float> other(size, 1.0f);
  for (int round = 0; round != 50; ++round) {
    float *const next = round % 2 ? mesh.x.data() : other.data();
    const auto cell = std::make_unique<float *>(nullptr);
    std::for_each_n(std::execution::par_unseq, cell.get(), 1, [next](float *&p) {
      for (int turn = 0; turn != 1000; ++turn)
        const_cast<float *volatile &>(p) = next;
    });
    std::for_each_n(std::execution::par_unseq, mesh.y.data(), size,
                    [p = cell.get(), y = mesh.y.data()](float &out) { out = (*p)[&out - y]; });
    CHECK(round % 2 ? is_scaled(mesh, 1, 0) : mesh.y == other);
  }

  // Results of all elements.
  float sum = 0;
  CHECK(runs_on_device([&] {
    sum = std::transform_reduce(std::execution::par_unseq, index.get(), index.get() + 1000, 0.0f, std::plus<>(),
                                [&mesh](int i) { return mesh.x[i] - static_cast<float>(size - 1000); });
  }));
  CHECK(sum == 999 * 500.0f);
  return pass();
}
