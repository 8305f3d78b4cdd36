; kernel: k
; target: ptx:sm_90
; CHECK: .b8 n[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3}
; CHECK: .b8 u[16] = {1, 0, 0, 0, 0, 0, 0, 0, 2}
; CHECK: .b8 y[16] = {1, 0, 2, 0, 3, 0, 0, 0, 9}
; CHECK: .b8 m[1] = {141}
; CHECK: .b8 l[4] = {86, 52, 18}
@n = internal constant [3 x i24] [i24 1, i24 2, i24 3]
@u = internal constant [2 x i48] [i48 1, i48 2]
@y = internal constant {<3 x i16>, i8} {<3 x i16> <i16 1, i16 2, i16 3>, i8 9}
@m = internal global <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 1>
@l = internal global i24 1193046
define void @k(ptr %p, i64 %x) {
  %pn = getelementptr i8, ptr @n, i64 %x
  %vn = load i8, ptr %pn
  store volatile i8 %vn, ptr %p
  %pu = getelementptr i8, ptr @u, i64 %x
  %vu = load i8, ptr %pu
  store volatile i8 %vu, ptr %p
  %py = getelementptr i8, ptr @y, i64 %x
  %vy = load i8, ptr %py
  store volatile i8 %vy, ptr %p
  %vm = load volatile i8, ptr @m
  store volatile i8 %vm, ptr %p
  store volatile i8 9, ptr @m
  %vl = load volatile i8, ptr @l
  store volatile i8 %vl, ptr %p
  store volatile i8 9, ptr @l
  ret void
}
