// Signals that are sent to the process are left to the threads of the program; one that a callable
// causes comes to the thread that runs it.
// options: --stdpar -pthread
// devices: host
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>

#include <dirent.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "offloaded.hpp"

static volatile std::sig_atomic_t faults;
static char *page;
static constexpr std::size_t page_bytes = 4096000;

static void on_fault(int, siginfo_t *info, void *) {
  ++faults;
  const char *const at = static_cast<const char *>(info->si_addr);
  if (at < page || at >= page + page_bytes)
    _exit(9);
  mprotect(page, page_bytes, PROT_READ | PROT_WRITE);
}

// The signals that a thread blocks: bit n - 1 for signal n.
static unsigned long long blocked_by(const std::string &thread) {
  std::FILE *const file = std::fopen(("/proc/self/task/" + thread + "/status").c_str(), "r");
  if (file == nullptr)
    return ~0ull;
  char line[256];
  unsigned long long blocked = ~0ull;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::sscanf(line, "SigBlk: %llx", &blocked) == 1)
      break;
  std::fclose(file);
  return blocked;
}

static bool has(unsigned long long blocked, int signal) { return blocked >> (signal - 1) & 1; }

// Looks at all threads but this one. Returns their number.
static int check_threads() {
  int threads = 0;
  DIR *const folder = opendir("/proc/self/task");
  CHECK(folder != nullptr);
  while (const dirent *const entry = readdir(folder)) {
    const std::string thread = entry->d_name;
    if (thread[0] == '.' || thread == std::to_string(getpid()))
      continue;
    ++threads;
    const unsigned long long blocked = blocked_by(thread);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD})
      CHECK(has(blocked, signal));
    // One that writes a cache blocks SIGPIPE meanwhile.
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF})
      CHECK(!has(blocked, signal));
  }
  closedir(folder);
  return threads;
}

int main() {
  page = static_cast<char *>(mmap(nullptr, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  CHECK(sigaction(SIGSEGV, &action, nullptr) == 0);
  on_device([] { return std::for_each(std::execution::par, page, page + page_bytes, [](char &c) { c = 5; }), 0; });
  CHECK(faults > 0 && page[page_bytes - 1] == 5);
  CHECK(check_threads() > 0);

  // Nobody else takes a signal that this thread waits for, which would end the process.
  sigset_t waited;
  sigemptyset(&waited);
  sigaddset(&waited, SIGUSR1);
  CHECK(!has(blocked_by(std::to_string(getpid())), SIGUSR1));
  CHECK(pthread_sigmask(SIG_BLOCK, &waited, nullptr) == 0);
  for (int round = 0; round < 100; ++round) {
    CHECK(kill(getpid(), SIGUSR1) == 0);
    int signal = 0;
    CHECK(sigwait(&waited, &signal) == 0 && signal == SIGUSR1);
  }
  return pass();
}
