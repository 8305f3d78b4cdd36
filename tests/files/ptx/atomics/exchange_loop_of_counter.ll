; Counters that wrap at a limit, of which one's old value is used.
; kernel: count
; target: ptx:sm_90
; CHECK: red.release.cta.global.inc.u32
; CHECK: atom.acquire.gpu.global.dec.u32
; CHECK-NOT: cas
define void @count(ptr %p, ptr %q, i32 %limit, ptr %out) {
entry:
  %first = load atomic i32, ptr %p syncscope("workgroup") monotonic, align 4
  br label %up
up:
  %old = phi i32 [ %first, %entry ], [ %found, %up ]
  %below = icmp ult i32 %old, %limit
  %more = add i32 %old, 1
  %new = select i1 %below, i32 %more, i32 0
  %pair = cmpxchg ptr %p, i32 %old, i32 %new syncscope("workgroup") release monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %between, label %up
between:
  %second = load atomic i32, ptr %q syncscope("device") monotonic, align 4
  br label %down
down:
  %was = phi i32 [ %second, %between ], [ %there, %down ]
  %less = add i32 %was, -1
  %least = call i32 @llvm.umin.i32(i32 %less, i32 %limit)
  %both = cmpxchg ptr %q, i32 %was, i32 %least syncscope("device") acquire acquire, align 4
  %there = extractvalue { i32, i1 } %both, 0
  %differs = icmp ne i32 %there, %was
  br i1 %differs, label %down, label %end
end:
  store i32 %was, ptr %out, align 4
  ret void
}
declare i32 @llvm.umin.i32(i32, i32)
