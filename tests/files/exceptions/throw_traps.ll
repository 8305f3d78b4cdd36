; Where an exception would be thrown, the kernel traps and says where; so does a direct call of `std::terminate`.
; kernel: k
; step: entry
; CHECK: trapped at kernel.cpp:7: it threw an exception, and kernels cannot throw: store an error code
; CHECK: trapped at kernel.cpp:8: it threw an exception
; CHECK: trapped at kernel.cpp:9: it called std::terminate
; CHECK: call void @_ZSt9terminatev()
; CHECK-NOT: __cxa
; CHECK-NOT: __throw_length_error
; CHECK-NOT: @_ZTIi
; CHECK-NOT: @llvm.trap
; CHECK-NOT: landingpad
@_ZTIi = external constant ptr
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare void @_ZSt20__throw_length_errorPKc(ptr)
declare i32 @__gxx_personality_v0(...)
declare void @_ZSt9terminatev() memory(none)
define linkonce_odr hidden void @__clang_call_terminate(ptr %e) noinline {
  call void @_ZSt9terminatev()
  unreachable
}
define void @k(ptr %p, i32 %n) personality ptr @__gxx_personality_v0 !dbg !3 {
  switch i32 %n, label %done [ i32 1, label %throw
                               i32 2, label %library
                               i32 3, label %terminate ]
throw:
  %e = call ptr @__cxa_allocate_exception(i64 4), !dbg !4
  store i32 42, ptr %e
  invoke void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null) to label %unreachable unwind label %pad, !dbg !4
library:
  call void @_ZSt20__throw_length_errorPKc(ptr null), !dbg !6
  unreachable
terminate:
  call void @_ZSt9terminatev(), !dbg !7
  unreachable
pad:
  %l = landingpad { ptr, i32 } catch ptr null
  call void @__clang_call_terminate(ptr null)
  unreachable
unreachable:
  unreachable
done:
  store i32 1, ptr %p
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.cpp", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 6, unit: !0, spFlags: DISPFlagDefinition, type: !5)
!4 = !DILocation(line: 7, column: 3, scope: !3)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 8, column: 3, scope: !3)
!7 = !DILocation(line: 9, column: 3, scope: !3)
