//! Runs stage 1 on textual IR, for the unit tests.
//!
//! In: the body of a kernel and the rest of its module. Out: host module, device module and causes
//! as text. *Invariant:* both modules have passed LLVM's verifier.

use crate::{Outcome, Reporter, Stage1Error, run};
use sinter_core::container::{Container, GLOBAL_IMAGE};
use sinter_llvm::{
    inkwell::{context::Context, memory_buffer::MemoryBuffer, module::Module},
    stage1::plugin::Level,
};

/// Result of stage 1 for a module.
#[derive(Debug, Default)]
pub(crate) struct Result {
    pub(crate) host: String,
    pub(crate) device: String,
    pub(crate) causes: Vec<String>,
    /// Reasons for which optional kernels are left out.
    pub(crate) left_out: Vec<String>,
}

/// Host code that references the descriptor of the kernel, which would otherwise be removed.
pub(crate) const LAUNCH: &str = "declare void @__sinter_bind_kernel(ptr, ptr)
define void @launch(ptr %slot) {\n  call void @__sinter_bind_kernel(ptr @kernel, ptr %slot)\n  ret void\n}\n";

/// Textual IR of a module with one kernel, `kernel`, whose closure is a pointer and an `i32`. Its
/// parts are in `%closure`.
pub(crate) fn module_text(body: &str, rest: &str) -> String {
    format!(
        r#"
source_filename = "test.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%K = type {{ ptr, i32 }}
@.k = private unnamed_addr constant [14 x i8] c"sinter_kernel\00", section "llvm.metadata"
@.c = private unnamed_addr constant [15 x i8] c"sinter_closure\00", section "llvm.metadata"
@.f = private unnamed_addr constant [9 x i8] c"test.cpp\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x {{ ptr, ptr, ptr, i32, ptr }}] [{{ ptr, ptr, ptr, i32, ptr }} {{ ptr @kernel, ptr @.k, ptr @.f, i32 1, ptr null }}], section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
$kernel = comdat any
define linkonce_odr dso_local void @kernel(ptr %k) noinline optnone uwtable "target-cpu"="x86-64" "no-nans-fp-math"="true" comdat {{
  %closure = alloca %K, align 8
  call void @llvm.var.annotation.p0.p0(ptr %closure, ptr @.c, ptr @.f, i32 1, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr %closure, ptr %k, i64 16, i1 false)
{body}
  ret void
}}
{rest}
"#
    )
}

pub(crate) fn parse<'ctx>(context: &'ctx Context, text: &str) -> Module<'ctx> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
    context.create_module_from_ir(buffer).unwrap_or_else(|error| panic!("{}\n{text}", error.to_string_lossy()))
}

/// Runs stage 1 on a module with one kernel; stage 1 must accept it.
pub(crate) fn accept(body: &str, rest: &str) -> Result {
    let result = process(&module_text(body, rest));
    assert_eq!(result.causes, Vec::<String>::new());
    result
}

/// Interposes the allocations of a module.
pub(crate) fn interposed(text: &str) -> String {
    let context = Context::create();
    let module = parse(&context, text);
    crate::interpose::allocations(&module).unwrap_or_else(|error| panic!("{error}"));
    module.verify().unwrap_or_else(|error| panic!("{}", error.to_string_lossy()));
    module.print_to_string().to_string()
}

/// Reports the algorithms of a module that the C++ library runs. Returns the module and the causes.
pub(crate) fn left_to_library(text: &str) -> (String, Vec<String>) {
    let context = Context::create();
    let (module, mut causes) = (parse(&context, text), Vec::new());
    let mut collect =
        |_: sinter_llvm::stage1::diagnose::Place<'_>, cause: &crate::Cause, _| causes.push(cause.to_string());
    crate::library::report(&module, &mut Reporter::new(&mut collect)).unwrap_or_else(|error| panic!("{error}"));
    module.verify().unwrap_or_else(|error| panic!("{}", error.to_string_lossy()));
    (module.print_to_string().to_string(), causes)
}

/// Leaves the waits of a module to what comes next.
pub(crate) fn with_waits_left(text: &str) -> String {
    let context = Context::create();
    let module = parse(&context, text);
    crate::waits::leave_to_next(&module).unwrap_or_else(|error| panic!("{error}"));
    module.verify().unwrap_or_else(|error| panic!("{}", error.to_string_lossy()));
    module.print_to_string().to_string()
}

/// Runs stage 1 on a module.
pub(crate) fn process(text: &str) -> Result {
    process_at(Level(2), text)
}

/// Runs stage 1 on a module in a pipeline of a level.
pub(crate) fn process_at(level: Level, text: &str) -> Result {
    let context = Context::create();
    let module = parse(&context, text);
    let (mut causes, mut left_out) = (Vec::new(), Vec::new());
    let mut collect = |_: sinter_llvm::stage1::diagnose::Place<'_>, cause: &crate::Cause, effect| match effect {
        crate::Effect::Error => causes.push(cause.to_string()),
        crate::Effect::LeavesOut => left_out.push(cause.to_string()),
    };
    let outcome = run(&module, None, level, &mut Reporter::new(&mut collect));
    module.verify().unwrap();
    let host = module.print_to_string().to_string();
    match outcome {
        Ok(Outcome::Embedded { container }) => Result { host, device: device_text(&container), causes, left_out },
        Ok(_) => Result { host, causes, left_out, ..Result::default() },
        Err(Stage1Error::Rejected { count }) => {
            assert_eq!(count, causes.len());
            Result { host, causes, ..Result::default() }
        }
        Err(error) => panic!("{error}"),
    }
}

fn device_text(container: &[u8]) -> String {
    let parsed = Container::parse(container).unwrap();
    let context = Context::create();
    let image = parsed.image(GLOBAL_IMAGE).unwrap();
    let buffer = MemoryBuffer::create_from_memory_range_copy(image.bytes, "image");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context).unwrap();
    module.verify().unwrap();
    module.print_to_string().to_string()
}
