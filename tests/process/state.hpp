// Process state that belongs to the program, as seen by the calling thread.
#ifndef PROCESS_STATE_HPP
#define PROCESS_STATE_HPP

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <dirent.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <xmmintrin.h>

extern char **environ;

using State = std::map<std::string, std::string>;

inline std::string bytes(const void *data, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char *>(data)[i]);
    text += digits;
  }
  return text;
}

template <typename T> std::string bytes(const T &value) { return bytes(&value, sizeof value); }

// The C library fills only the first bytes of a set.
inline std::string members(const sigset_t &set) {
  std::string text;
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&set, signal) == 1)
      text += " " + std::to_string(signal);
  return text;
}

inline std::string entries(const char *folder) {
  std::map<std::string, int> names;
  if (DIR *opened = opendir(folder)) {
    while (const dirent *entry = readdir(opened))
      names[entry->d_name] = 0;
    closedir(opened);
  }
  std::string text;
  for (const auto &name : names)
    text += name.first + " ";
  return text;
}

inline void add_signals(State &state) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0)
      continue; // the C library's own
    state["signal " + std::to_string(signal)] = bytes(reinterpret_cast<void *>(action.sa_handler)) + " " +
                                                bytes(action.sa_flags) + members(action.sa_mask);
  }
  stack_t stack = {};
  sigaltstack(nullptr, &stack);
  state["alternate stack"] = bytes(stack.ss_sp) + " " + bytes(stack.ss_size) + " " + bytes(stack.ss_flags);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  state["signal mask"] = members(mask);
}

inline void add_limits(State &state) {
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit = {};
    getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    state["limit " + std::to_string(resource)] = bytes(limit);
  }
  for (int timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval value = {};
    getitimer(static_cast<__itimer_which>(timer), &value);
    state["timer " + std::to_string(timer)] = bytes(value);
  }
  cpu_set_t processors;
  sched_getaffinity(0, sizeof processors, &processors);
  state["processors"] = bytes(processors);
  state["priority"] = std::to_string(getpriority(PRIO_PROCESS, 0));
}

inline void add_surroundings(State &state) {
  const mode_t mask = umask(0);
  umask(mask);
  state["umask"] = std::to_string(mask);
  char folder[4096] = {};
  state["working directory"] = getcwd(folder, sizeof folder) ? folder : "?";
  state["locale"] = std::setlocale(LC_ALL, nullptr);
  state["environment"] = bytes(environ);
  for (char **variable = environ; *variable; ++variable)
    state["environment"] += std::string(" ") + *variable;
}

inline void add_thread(State &state) {
  state["rounding"] = std::to_string(std::fegetround()) + " " + std::to_string(_mm_getcsr() & 0xffc0);
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  state["thread's name"] = name;
  state["dumpable"] = std::to_string(prctl(PR_GET_DUMPABLE));
  state["no new privileges"] = std::to_string(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  state["personality"] = std::to_string(personality(0xffffffff));
}

inline State state() {
  State state;
  add_signals(state);
  add_limits(state);
  add_surroundings(state);
  add_thread(state);
  return state;
}

// Threads and open files of the process.
inline State resources() {
  return {{"threads", entries("/proc/self/task")}, {"descriptors", entries("/proc/self/fd")}};
}

// Sets a handler for every signal and an alternate stack for the thread, and changes other
// defaults.
inline void make_unusual() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { _exit(signal); };
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaddset(&action.sa_mask, SIGUSR2);
  for (int signal = 1; signal < NSIG; ++signal)
    sigaction(signal, &action, nullptr); // fails for signals that cannot be handled
  umask(027);
  std::setlocale(LC_ALL, "C.UTF-8");
}

inline void make_alternate_stack() {
  static thread_local char memory[1 << 16];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
}

// True if two states are equal. Prints the differences.
inline bool same(const char *when, const State &before, const State &after) {
  bool same = before.size() == after.size();
  for (const auto &[what, value] : before) {
    const auto found = after.find(what);
    const std::string now = found == after.end() ? "gone" : found->second;
    if (now != value) {
      std::printf("%s: %s was %s and is %s\n", when, what.c_str(), value.c_str(), now.c_str());
      same = false;
    }
  }
  return same;
}

#endif
