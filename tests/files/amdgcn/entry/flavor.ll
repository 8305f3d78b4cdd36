; kernel: k
; step: flavor
; target: amdgpu:gfx1030
; CHECK: target triple = "amdgcn-amd-amdhsa"
; CHECK: alloca [4 x i32], align 16, addrspace(5)
; CHECK: call void @llvm.lifetime.start.p5(i64 16
; CHECK: "target-cpu"="gfx1030" "target-features"="+wavefrontsize32"
; CHECK: !"amdhsa_code_object_version", i32 500
; CHECK-NOT: avx2
; CHECK-NOT: call void @llvm.lifetime.start.p0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define void @k(ptr %p, i64 %i) #0 {
  %a = alloca [4 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr %a)
  %q = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %q
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  call void @llvm.lifetime.end.p0(i64 16, ptr %a)
  ret void
}
attributes #0 = { uwtable "target-cpu"="x86-64" "target-features"="+avx2" "frame-pointer"="all" }
