//! Tests the export of kernels for other translators.

use super::{FriendlyError, friendly};
use sinter_core::{Image, KernelConfig, SpirvEnvironment, SpirvTarget, Target, TranslateRequest};
use sinter_llvm::Session;

fn request() -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: Vec::new().into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Spirv(SpirvTarget::full(SpirvEnvironment::OpenCl)),
        config: KernelConfig::generic("k"),
    }
}

/// The exported module as IR text.
fn text(ir: &str, request: &TranslateRequest) -> String {
    let bitcode = friendly(ir, request).expect("it has a form");
    let session = Session::new().expect("a session");
    session.parse(&bitcode).expect("bitcode").text()
}

fn has(text: &str, all: &[&str]) {
    all.iter().for_each(|part| assert!(text.contains(part), "`{part}` is not in: {text}"));
}

#[test]
fn functions_get_names_that_others_know() {
    let ir = "@unused = internal constant [2 x i8] c\"%s\"
        define spir_kernel void @k(ptr addrspace(1) %p) {
        %l = alloca float, align 4, addrspace(5)
        %i = call i64 @__sinter_spirv_builtin_LocalInvocationId(i32 0)
        %s = call float @__sinter_spirv_ocl_sin__f32(float 1.0)
        %a = call i32 @__sinter_spirv_op_AtomicIAdd__i32_global(ptr addrspace(1) %p, i32 1, i32 0, i32 3)
        %b = call i32 @__sinter_spirv_op_AtomicIAdd__u32_global(ptr addrspace(1) %p, i32 1, i32 0, i32 3)
        call void @__sinter_spirv_op_ControlBarrier__(i32 2, i32 2, i32 264)
        call void @llvm.memcpy.p1.p5.i64(ptr addrspace(1) %p, ptr addrspace(5) %l, i64 4, i1 false)
        ret void }
        declare i64 @__sinter_spirv_builtin_LocalInvocationId(i32)
        declare float @__sinter_spirv_ocl_sin__f32(float)
        declare float @__sinter_spirv_ocl_cos__f32(float)
        declare i32 @__sinter_spirv_op_AtomicIAdd__i32_global(ptr addrspace(1), i32, i32, i32)
        declare i32 @__sinter_spirv_op_AtomicIAdd__u32_global(ptr addrspace(1), i32, i32, i32)
        declare void @__sinter_spirv_op_ControlBarrier__(i32, i32, i32)
        declare void @llvm.memcpy.p1.p5.i64(ptr addrspace(1), ptr addrspace(5), i64, i1)";
    let text = text(ir, &request());
    has(
        &text,
        &[
            "call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)",
            "call float @_Z15__spirv_ocl_sinf(float",
            "call void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 264)",
            "alloca float, align 4\n",
            "@llvm.memcpy.p1.p0.i64(",
            "target triple = \"spirv64-unknown-unknown\"",
            "!opencl.ocl.version = ",
            "!spirv.Source = ",
            "!opencl.enable.FP_CONTRACT = ",
        ],
    );
    assert_eq!(text.matches("call i32 @_Z18__spirv_AtomicIAddPU3AS1jjjj(ptr addrspace(1)").count(), 2, "{text}");
    assert!(!text.contains("__sinter") && !text.contains("ocl_cos") && !text.contains("@unused"), "{text}");
}

#[test]
fn a_name_without_a_form_is_an_error() {
    for name in ["__sinter_spirv_op_NoSuch__i32", "__sinter_spirv_ocl_nosuch", "__sinter_spirv_builtin_No", "other"] {
        let ir = format!("define spir_kernel void @k() {{ call void @{name}() ret void }} declare void @{name}()");
        assert_eq!(friendly(&ir, &request()), Err(FriendlyError::NoName { name: name.to_owned() }));
    }
}

#[test]
fn sizes_and_contraction_are_said() {
    let ir = "define spir_kernel void @k(ptr addrspace(1) %p, float %x) {
        %y = fmul float %x, %x %z = fadd float %y, %x store float %z, ptr addrspace(1) %p ret void }";
    let mut request = request();
    request.config.group_size = Some([16, 4, 1]);
    request.config.sub_group_size = Some(16);
    request.config.approximations.flush_denormals = true;
    let text = text(ir, &request);
    has(
        &text,
        &[
            "!reqd_work_group_size !",
            "!{i32 16, i32 4, i32 1}",
            "!intel_reqd_sub_group_size !",
            "!{i32 16}",
            "!{ptr @k, i32 4460, i32 32}",
        ],
    );
    assert!(!text.contains("FP_CONTRACT"), "{text}");
}

#[test]
fn dynamic_local_memory_is_a_parameter() {
    let array = "@sinter_dynamic_local_memory = external addrspace(3) global [0 x i8], align 64\n";
    let ir = "define spir_kernel void @k(ptr byval([8 x i8]) align 8 %p, ptr addrspace(1) readonly %q) {
        store i32 1, ptr addrspace(3) @sinter_dynamic_local_memory ret void }";
    let ir = ir.replace("ptr byval", "ptr addrspace(5) byval");
    let own = text(&format!("{array}{ir}"), &request());
    has(&own, &["ptr byval([8 x i8]) align 8 %0, ptr addrspace(1) readonly %1, ptr addrspace(3) align 64 %2"]);
    assert!(!own.contains("sinter_dynamic"), "{own}");
    let unused = ir.replace("ptr addrspace(3) @sinter_dynamic_local_memory", "ptr addrspace(1) %q");
    assert!(!text(&format!("{array}{unused}"), &request()).contains("addrspace(3)"));
    let elsewhere =
        ir.replace("define spir_kernel void @k", "define spir_kernel void @k() { ret void }\ndefine internal void @f");
    let error = friendly(&format!("{array}{elsewhere}"), &request());
    assert_eq!(error, Err(FriendlyError::Elsewhere { function: "f".to_owned() }));
}
