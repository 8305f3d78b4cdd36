// Stands for the C library's `__cxa_atexit` inside libsinter_translate.so: destructors of static
// objects of LLVM, lld and libstdc++ never run. The C library would run those that were registered
// last first, so no handler of ours could run before the destructor of a static object that a
// translation has just initialised. With none at all a translation that is under way when the
// process exits goes on until the process is gone, and another may begin. Nothing is lost: the
// system takes back the memory, and no stream of LLVM has anything to flush.
//
// Hidden, so that it holds for this library alone. The names are those of the Itanium C++ ABI,
// 3.3.6.3.
__attribute__((visibility("hidden"))) int __cxa_atexit(void (*destructor)(void *), void *object, void *library) {
  (void)destructor, (void)object, (void)library;
  return 0;
}
