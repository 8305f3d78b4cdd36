; kernel: k
; ERROR: the function `chosen(int)`, which the loader of a program chooses (ifunc), cannot be used on
; ERROR: call the function itself
@_Z6choseni = ifunc i32 (i32), ptr @resolver
define internal ptr @resolver() {
  ret ptr @_Z5plaini
}
define internal i32 @_Z5plaini(i32 %x) {
  ret i32 %x
}
define void @k(ptr %p) {
  %v = call i32 @_Z6choseni(i32 3)
  store i32 %v, ptr %p
  ret void
}
