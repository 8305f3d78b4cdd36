//! Kernels with intrinsics other than math functions, and other constructs that are difficult for
//! code generators.
//!
//! *Invariant:* each is a whole module with one kernel, `k`.

/// Declarations, and the body of a kernel with the parameters `ptr %p, ptr %q, i64 %n, i32 %m`.
type Kernel = (&'static str, &'static str);

const KERNELS: [Kernel; 51] = [
    ("declare i64 @llvm.bswap.i64(i64)", "%a = call i64 @llvm.bswap.i64(i64 %n)\nstore i64 %a, ptr %p"),
    (
        "declare i16 @llvm.convert.to.fp16.f32(float)",
        "%f = sitofp i32 %m to float\n%a = call i16 @llvm.convert.to.fp16.f32(float %f)\nstore i16 %a, ptr %p",
    ),
    (
        "declare float @llvm.convert.from.fp16.f32(i16)",
        "%f = trunc i32 %m to i16\n%a = call float @llvm.convert.from.fp16.f32(i16 %f)\nstore float %a, ptr %p",
    ),
    (
        "declare double @llvm.convert.from.fp16.f64(i16)",
        "%f = trunc i32 %m to i16\n%a = call double @llvm.convert.from.fp16.f64(i16 %f)\nstore double %a, ptr %p",
    ),
    (
        "declare i16 @llvm.convert.to.fp16.f64(double)",
        "%f = sitofp i32 %m to double\n%a = call i16 @llvm.convert.to.fp16.f64(double %f)\nstore i16 %a, ptr %p",
    ),
    ("declare void @llvm.debugtrap()", "call void @llvm.debugtrap()"),
    ("declare void @llvm.ubsantrap(i8)", "call void @llvm.ubsantrap(i8 3)"),
    ("declare ptr @llvm.returnaddress(i32)", "%a = call ptr @llvm.returnaddress(i32 0)\nstore ptr %a, ptr %p"),
    ("declare i32 @llvm.get.rounding()", "%a = call i32 @llvm.get.rounding()\nstore i32 %a, ptr %p"),
    (
        "declare <8 x i1> @llvm.get.active.lane.mask.v8i1.i64(i64,i64)",
        "%a = call <8 x i1> @llvm.get.active.lane.mask.v8i1.i64(i64 %n, i64 20)\nstore <8 x i1> %a, ptr %p",
    ),
    (
        "declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)",
        "%v=load <4 x i32>, ptr %q\n%a = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %v)\nstore <4 x i32> %a, ptr %p",
    ),
    (
        "declare ptr @llvm.load.relative.i64(ptr, i64)",
        "%a = call ptr @llvm.load.relative.i64(ptr %q, i64 %n)\nstore ptr %a, ptr %p",
    ),
    (
        "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr,i32,<4 x i1>,<4 x i32>)",
        "%t=trunc i64 %n to i4\n%mk=bitcast i4 %t to <4 x i1>\n%a = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %q,i32 4,<4 x i1> %mk,<4 x i32> zeroinitializer)\nstore <4 x i32> %a, ptr %p",
    ),
    (
        "declare void @llvm.masked.store.v4i32.p0(<4 x i32>,ptr,i32,<4 x i1>)",
        "%v=load <4 x i32>, ptr %q\n%t=trunc i64 %n to i4\n%mk=bitcast i4 %t to <4 x i1>\ncall void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p,i32 4,<4 x i1> %mk)",
    ),
    (
        "declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>,i32,<4 x i1>,<4 x i32>)",
        "%v=load <4 x ptr>, ptr %q\n%t=trunc i64 %n to i4\n%mk=bitcast i4 %t to <4 x i1>\n%a=call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %v,i32 4,<4 x i1> %mk,<4 x i32> zeroinitializer)\nstore <4 x i32> %a, ptr %p",
    ),
    (
        "declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>,<4 x ptr>,i32,<4 x i1>)",
        "%v=load <4 x ptr>, ptr %q\n%t=trunc i64 %n to i4\n%mk=bitcast i4 %t to <4 x i1>\ncall void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> zeroinitializer,<4 x ptr> %v,i32 4,<4 x i1> %mk)",
    ),
    (
        "declare <4 x i32> @llvm.masked.expandload.v4i32(ptr,<4 x i1>,<4 x i32>)",
        "%t=trunc i64 %n to i4\n%mk=bitcast i4 %t to <4 x i1>\n%a = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %q,<4 x i1> %mk,<4 x i32> zeroinitializer)\nstore <4 x i32> %a, ptr %p",
    ),
    (
        "declare void @llvm.masked.compressstore.v4i32(<4 x i32>,ptr,<4 x i1>)",
        "%v=load <4 x i32>, ptr %q\n%t=trunc i64 %n to i4\n%mk=bitcast i4 %t to <4 x i1>\ncall void @llvm.masked.compressstore.v4i32(<4 x i32> %v, ptr %p,<4 x i1> %mk)",
    ),
    (
        "declare void @llvm.memcpy.inline.p0.p0.i64(ptr,ptr,i64,i1)",
        "call void @llvm.memcpy.inline.p0.p0.i64(ptr %p,ptr %q,i64 40,i1 false)",
    ),
    (
        "declare void @llvm.memcpy.p0.p0.i64(ptr,ptr,i64,i1)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %p,ptr %q,i64 %n,i1 false)",
    ),
    (
        "declare void @llvm.memmove.p0.p0.i64(ptr,ptr,i64,i1)",
        "call void @llvm.memmove.p0.p0.i64(ptr %p,ptr %q,i64 %n,i1 false)",
    ),
    ("declare void @llvm.memset.p0.i64(ptr,i8,i64,i1)", "call void @llvm.memset.p0.i64(ptr %p,i8 3,i64 %n,i1 false)"),
    (
        "@l = internal addrspace(3) global [64 x i8] undef\ndeclare void @llvm.memmove.p0.p0.i64(ptr,ptr,i64,i1)",
        "call void @llvm.memmove.p0.p0.i64(ptr addrspacecast (ptr addrspace(3) @l to ptr),ptr %q,i64 %n,i1 false)\n%v=load volatile i8, ptr addrspace(3) @l\nstore i8 %v, ptr %p",
    ),
    (
        "declare void @llvm.memmove.p0.p0.i64(ptr,ptr,i64,i1)",
        "%a=alloca [64 x i8]\ncall void @llvm.memmove.p0.p0.i64(ptr %a,ptr %q,i64 %n,i1 false)\n%g=getelementptr i8, ptr %a, i64 %n\n%v=load i8, ptr %g\nstore i8 %v, ptr %p",
    ),
    (
        "declare void @llvm.memmove.p0.p0.i64(ptr,ptr,i64,i1)",
        "%a=alloca [64 x i8]\n%b=alloca [64 x i8]\ncall void @llvm.memmove.p0.p0.i64(ptr %a,ptr %q,i64 %n,i1 false)\n%c=icmp eq i64 %n, 3\n%s=select i1 %c, ptr %a, ptr %b\ncall void @llvm.memmove.p0.p0.i64(ptr %s,ptr %q,i64 64,i1 false)\n%g=getelementptr i8, ptr %a, i64 %n\n%v=load i8, ptr %g\nstore i8 %v, ptr %p",
    ),
    (
        "declare i64 @llvm.objectsize.i64.p0(ptr,i1,i1,i1)",
        "%a=call i64 @llvm.objectsize.i64.p0(ptr %q,i1 0,i1 0,i1 0)\nstore i64 %a, ptr %p",
    ),
    ("declare void @llvm.prefetch.p0(ptr,i32,i32,i32)", "call void @llvm.prefetch.p0(ptr %q,i32 0,i32 3,i32 1)"),
    (
        "declare ptr @llvm.ptrmask.p0.i64(ptr,i64)",
        "%a=call ptr @llvm.ptrmask.p0.i64(ptr %q,i64 -16)\n%v=load i32,ptr %a\nstore i32 %v, ptr %p",
    ),
    ("declare i64 @llvm.readcyclecounter()", "%a=call i64 @llvm.readcyclecounter()\nstore i64 %a, ptr %p"),
    ("declare i64 @llvm.readsteadycounter()", "%a=call i64 @llvm.readsteadycounter()\nstore i64 %a, ptr %p"),
    ("declare i32 @llvm.scmp.i32.i64(i64,i64)", "%a=call i32 @llvm.scmp.i32.i64(i64 %n, i64 5)\nstore i32 %a, ptr %p"),
    ("declare i8 @llvm.ucmp.i8.i64(i64,i64)", "%a=call i8 @llvm.ucmp.i8.i64(i64 %n, i64 5)\nstore i8 %a, ptr %p"),
    ("declare i64 @llvm.sshl.sat.i64(i64,i64)", "%a=call i64 @llvm.sshl.sat.i64(i64 %n, i64 5)\nstore i64 %a, ptr %p"),
    (
        "declare float @llvm.vector.reduce.fadd.v4f32(float,<4 x float>)",
        "%v=load <4 x float>, ptr %q\n%a=call float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %v)\nstore float %a, ptr %p",
    ),
    (
        "declare double @llvm.vector.reduce.fmaximum.v4f64(<4 x double>)",
        "%v=load <4 x double>, ptr %q\n%a=call double @llvm.vector.reduce.fmaximum.v4f64(<4 x double> %v)\nstore double %a, ptr %p",
    ),
    (
        "declare <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32>,<4 x i32>,i64)",
        "%v=load <4 x i32>, ptr %q\n%a=call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> zeroinitializer,<4 x i32> %v,i64 4)\nstore <8 x i32> %a, ptr %p",
    ),
    (
        "declare {<4 x i32>,<4 x i32>} @llvm.vector.deinterleave2.v8i32(<8 x i32>)",
        "%v=load <8 x i32>, ptr %q\n%a=call {<4 x i32>,<4 x i32>} @llvm.vector.deinterleave2.v8i32(<8 x i32> %v)\n%b=extractvalue {<4 x i32>,<4 x i32>} %a, 1\nstore <4 x i32> %b, ptr %p",
    ),
    (
        "declare float @llvm.arithmetic.fence.f32(float)",
        "%v=load float, ptr %q\n%a=call float @llvm.arithmetic.fence.f32(float %v)\nstore float %a, ptr %p",
    ),
    (
        "declare i32 @llvm.annotation.i32.p0(i32,ptr,ptr,i32)\n@s=private constant [2 x i8] c\"a\\00\"",
        "%a=call i32 @llvm.annotation.i32.p0(i32 %m,ptr @s,ptr @s,i32 1)\nstore i32 %a, ptr %p",
    ),
    (
        "declare void @llvm.var.annotation.p0.p0(ptr,ptr,ptr,i32,ptr)\n@s=private constant [2 x i8] c\"a\\00\"",
        "%a=alloca i32\ncall void @llvm.var.annotation.p0.p0(ptr %a,ptr @s,ptr @s,i32 1,ptr null)\nstore i32 1, ptr %p",
    ),
    (
        "declare ptr @llvm.launder.invariant.group.p0(ptr)",
        "%a=call ptr @llvm.launder.invariant.group.p0(ptr %q)\n%v=load i32, ptr %a\nstore i32 %v, ptr %p",
    ),
    ("declare void @llvm.sideeffect()", "call void @llvm.sideeffect()\nstore i32 1, ptr %p"),
    (
        "declare i1 @llvm.expect.i1(i1,i1)",
        "%c=icmp eq i32 %m, 0\n%a=call i1 @llvm.expect.i1(i1 %c,i1 true)\nstore i1 %a, ptr %p",
    ),
    (
        "declare ptr @llvm.stacksave.p0()\ndeclare void @llvm.stackrestore.p0(ptr)",
        "%s=call ptr @llvm.stacksave.p0()\n%a=alloca i32\nstore volatile i32 1, ptr %a\ncall void @llvm.stackrestore.p0(ptr %s)\nstore i32 1, ptr %p",
    ),
    ("", "%v=load i256, ptr %q\n%a=mul i256 %v, %v\n%b=udiv i256 %a, 12345\nstore i256 %b, ptr %p"),
    (
        "",
        "%a=alloca i32\n%b=alloca i32\nstore i32 1, ptr %a\nstore i32 2, ptr %b\n%c=icmp eq i32 %m, 0\n%s=select i1 %c, ptr %a, ptr %b\n%v=load i32, ptr %s\nstore i32 %v, ptr %p",
    ),
    ("", "%v=load <64 x double>, ptr %q\n%a=fmul <64 x double> %v,%v\nstore <64 x double> %a, ptr %p"),
    ("", "%a=atomicrmw fadd ptr %p, double 1.0 seq_cst\nstore double %a, ptr %q"),
    ("", "%a=cmpxchg ptr %p, ptr %q, ptr null seq_cst seq_cst"),
    ("", "%v=load <2 x half>, ptr %q\n%a=fdiv <2 x half> %v, <half 3.0, half 4.0>\nstore <2 x half> %a, ptr %p"),
    (
        "declare half @llvm.sqrt.f16(half)",
        "%v=load half, ptr %q\n%a=call half @llvm.sqrt.f16(half %v)\nstore half %a, ptr %p",
    ),
];

/// The modules as textual IR.
pub(crate) fn odd_kernels() -> Vec<String> {
    let text = |(declarations, body): &Kernel| {
        format!("{declarations}\ndefine void @k(ptr %p, ptr %q, i64 %n, i32 %m) {{\n{body}\nret void\n}}\n")
    };
    KERNELS.iter().map(text).collect()
}
