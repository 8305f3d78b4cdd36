; What is missing is the C++ run-time library, not the value of an IR constant.
; kernel: k
; ERROR: `vtable for __cxxabiv1::__class_type_info [_ZTVN10__cxxabiv117__class_type_infoE]`
; ERROR: virtual functions, `dynamic_cast` and `typeid` need the C++ run-time library
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTS1A = linkonce_odr constant [3 x i8] c"1A\00"
@_ZTI1A = linkonce_odr constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS1A }
@_ZTV1A = linkonce_odr unnamed_addr constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI1A, ptr @_ZN1A1fEv] }
define void @k(ptr %p) {
  store ptr getelementptr inbounds ({ [3 x ptr] }, ptr @_ZTV1A, i64 0, i32 0, i64 2), ptr %p
  ret void
}
define linkonce_odr void @_ZN1A1fEv(ptr %this) {
  ret void
}
