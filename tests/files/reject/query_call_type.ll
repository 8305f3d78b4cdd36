; A query that is called with another type than it is declared with.
; kernel: k
; ERROR: a call of the query `__sinter_ragged_groups` with another type than `iN ()`
declare i1 @__sinter_ragged_groups()
define void @k(ptr %p) {
  %i = call float @__sinter_ragged_groups()
  store float %i, ptr %p
  ret void
}
