// Replaces the C library's `__cxa_atexit` inside libsinter_translate.so: destructors of static
// objects of LLVM, lld and libstdc++ never run. The C library runs exit handlers in reverse order
// of registration, so no handler of ours could run before the destructor of a static object that a
// translation has just initialised. Without destructors a translation in progress at exit continues
// until the process ends, and another may start. Nothing is lost: the system reclaims the memory,
// and no LLVM stream has buffered output.
//
// Hidden, so that it affects only this library. The names are those of the Itanium C++ ABI,
// 3.3.6.3.
__attribute__((visibility("hidden"))) int __cxa_atexit(void (*destructor)(void *), void *object, void *library) {
  (void)destructor, (void)object, (void)library;
  return 0;
}
