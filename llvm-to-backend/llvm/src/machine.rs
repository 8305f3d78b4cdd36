//! Target machines and code emission.
//!
//! *Invariant:* LLVM is initialised once per process, with the option defaults that translations
//! rely on ([`DEFAULTS`]), before any pass runs. Defaults are changed rather than values: lld
//! resets every option to its default at each link. A machine works for one session only: it caches
//! layouts by the addresses of types, and LLVM's PTX backend numbers call sites in it.

use crate::{
    error::LlvmError,
    guard::{self, guarded},
    memory,
    module::Module,
    text::{c_string, take_malloced, take_message},
};
use llvm_sys::{core::*, prelude::*, target::*, target_machine::*};
use std::{
    borrow::Cow,
    cell::RefCell,
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_int, c_uint},
    ptr,
    sync::Once,
};

/// Options whose defaults we change. The first ones work around miscompilations of LLVM 19.1.7 with
/// indices that wrap. Versioning a loop on the assumption that an index does not wrap is unsound if
/// the index starts at 0 (SCEVExpander drops the overflow check, llvm-project#156849), so the
/// number of such assumptions is limited to 0. Interleaved groups read past a power-of-two wrap
/// even then; a factor of 1 allows none.
///
/// The last one bounds compile time. The machine scheduler compares each memory access with at most
/// this many earlier ones in its block, and assumes that all others are dependent. With LLVM's
/// default of 1000, 1,700 adjacent accesses take 2.6 s on x86-64; with 200, 0.65 s, for the same
/// code.
const DEFAULTS: [(&CStr, c_uint); 5] = [
    (c"max-interleave-group-factor", 1),
    (c"vectorize-scev-check-threshold", 0),
    (c"pragma-vectorize-scev-check-threshold", 0),
    (c"loop-load-elimination-scev-check-threshold", 0),
    (c"dag-maps-huge-region", 200),
];

unsafe extern "C" {
    fn sinter_set_default(name: *const c_char, value: c_uint) -> bool;
    fn sinter_knows_cpu(target: LLVMTargetRef, triple: *const c_char, cpu: *const c_char) -> c_int;
    fn sinter_machine_has(machine: LLVMTargetMachineRef, feature: *const c_char) -> c_int;
    fn sinter_set_level(machine: LLVMTargetMachineRef, level: LLVMCodeGenOptLevel);
}

unsafe extern "C-unwind" {
    fn LLVMCreateTargetMachine(
        target: LLVMTargetRef,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        level: LLVMCodeGenOptLevel,
        relocation: LLVMRelocMode,
        model: LLVMCodeModel,
    ) -> LLVMTargetMachineRef;
    fn sinter_needed_features(
        target: LLVMTargetRef,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
    ) -> *mut c_char;
    fn sinter_emit(
        machine: LLVMTargetMachineRef,
        module: LLVMModuleRef,
        kind: LLVMCodeGenFileType,
    ) -> LLVMMemoryBufferRef;
}

/// Registers the targets' names, the fatal error handler and the options. Later calls have no
/// effect.
pub(crate) fn initialize() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: fills LLVM's target registry; called once, before any other use.
        unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeNVPTXTargetInfo();
            LLVMInitializeAMDGPUTargetInfo();
        }
        guard::install_fatal_handler();
        memory::install_handlers();
        for (option, value) in DEFAULTS {
            // SAFETY: a C string that names an option of this type; no pass runs before `call_once`
            // returns.
            if !unsafe { sinter_set_default(option.as_ptr(), value) } {
                let option = option.to_string_lossy();
                guard::poison(&format!("this LLVM has no option -{option}, which translations rely on"));
            }
        }
    });
}

/// Initialises the target of `triple`, and no other: each registers its passes, among which the
/// code generators of all targets search.
fn initialize_target(triple: &str) {
    static X86: Once = Once::new();
    static NVPTX: Once = Once::new();
    static AMDGPU: Once = Once::new();
    match triple.split('-').next() {
        Some("x86_64" | "i386" | "i686") => X86.call_once(initialize_x86),
        Some("nvptx" | "nvptx64") => NVPTX.call_once(initialize_nvptx),
        Some("amdgcn" | "r600") => AMDGPU.call_once(initialize_amdgpu),
        _ => {}
    }
}

fn initialize_x86() {
    // SAFETY: fills what LLVM's registry has of this target; called once, before its first use.
    unsafe {
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
        LLVMInitializeX86AsmParser();
    }
}

/// Registers the printer only: the target has no assembly parser.
fn initialize_nvptx() {
    // SAFETY: as above.
    unsafe {
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    }
}

fn initialize_amdgpu() {
    // SAFETY: as above.
    unsafe {
        LLVMInitializeAMDGPUTarget();
        LLVMInitializeAMDGPUTargetMC();
        LLVMInitializeAMDGPUAsmPrinter();
        LLVMInitializeAMDGPUAsmParser();
    }
}

/// LLVM's name of this machine's CPU.
pub fn host_cpu() -> String {
    // SAFETY: no arguments; the result is ours.
    take_message(unsafe { LLVMGetHostCPUName() })
}

/// LLVM's feature string of this machine's CPU.
pub fn host_features() -> String {
    // SAFETY: no arguments; the result is ours.
    take_message(unsafe { LLVMGetHostCPUFeatures() })
}

/// The triple of this machine.
pub fn host_triple() -> String {
    // SAFETY: no arguments; the result is ours.
    take_message(unsafe { LLVMGetDefaultTargetTriple() })
}

/// Output format of the code generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emit {
    /// Assembly text.
    Assembly,
    /// A relocatable object file.
    Object,
}

/// Optimisation level of the code generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Fast: registers are allocated within each block and spilled at its end.
    None,
    /// Registers are allocated per function.
    Less,
    /// All optimisations.
    Aggressive,
}

impl Level {
    fn raw(self) -> LLVMCodeGenOptLevel {
        match self {
            Level::None => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            Level::Less => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            Level::Aggressive => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        }
    }
}

impl From<bool> for Level {
    /// True is full optimisation, false none.
    fn from(optimise: bool) -> Self {
        if optimise { Level::Aggressive } else { Level::None }
    }
}

/// A target machine: triple, CPU, features, level. Code is position independent.
#[derive(Debug)]
pub struct Machine {
    raw: LLVMTargetMachineRef,
    layout: LLVMTargetDataRef,
    limit: u64,
    features: CString,
    /// The features that were asked for.
    asked: RefCell<HashMap<String, bool>>,
}

impl Machine {
    /// A machine with a code generation level, or `true` for full and `false` for no optimisation.
    pub fn new(triple: &str, cpu: &str, features: &str, level: impl Into<Level>) -> Result<Self, LlvmError> {
        initialize();
        initialize_target(triple);
        let target = find_target(triple)?;
        let level = level.into().raw();
        let has_modes = triple.starts_with("x86_64");
        // For these CPUs LLVM looks into the list itself.
        let has_long_list = has_modes && !["", "generic", "x86-64", "pentium4"].contains(&cpu);
        let [triple, cpu, features] = [triple, cpu, features].map(c_string);
        // SAFETY: a registered target and two C strings.
        if unsafe { sinter_knows_cpu(target, triple.as_ptr(), cpu.as_ptr()) } == 0 {
            let message = format!("LLVM knows no CPU `{}` of this kind", cpu.to_string_lossy());
            return Err(LlvmError::Diagnostic { message });
        }
        let features = if has_long_list { needed_features(target, &triple, &cpu, &features)? } else { features };
        // SAFETY: a registered target and three C strings.
        let raw = guarded(|| unsafe {
            let model = LLVMCodeModel::LLVMCodeModelDefault;
            let (triple, cpu, features) = (triple.as_ptr(), cpu.as_ptr(), features.as_ptr());
            LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocMode::LLVMRelocPIC, model)
        })?;
        if raw.is_null() {
            return Err(LlvmError::Diagnostic { message: "LLVM cannot create this target machine".to_owned() });
        }
        // SAFETY: `raw` is a valid machine.
        let layout = unsafe { LLVMCreateTargetDataLayout(raw) };
        let machine = Machine { raw, layout, limit: u64::MAX, features, asked: RefCell::default() };
        // X86Subtarget ends the process for a CPU without this feature.
        if has_modes && !machine.has_feature("64bit") {
            let message = format!("the CPU `{}` has no 64-bit mode", cpu.to_string_lossy());
            return Err(LlvmError::Diagnostic { message });
        }
        Ok(machine)
    }

    /// Limits inlining and unrolling: no call is inlined and no loop unrolled that would let a
    /// module grow past this many instructions, weighted as in [`Module::weight`]. Without it only
    /// LLVM's own limits hold, which are per call or loop.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Self {
        let mut machine = self;
        machine.limit = limit;
        machine
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// The features that it was made with, less those that its CPU has, or lacks, anyway.
    pub fn features(&self) -> Cow<'_, str> {
        self.features.to_string_lossy()
    }

    /// True if its CPU has a feature, by LLVM's name. Steps ask for each instruction.
    pub fn has_feature(&self, name: &str) -> bool {
        if let Some(known) = self.asked.borrow().get(name) {
            return *known;
        }
        let asked = c_string(name);
        // SAFETY: a live machine and a C string.
        let has = unsafe { sinter_machine_has(self.raw, asked.as_ptr()) } != 0;
        self.asked.borrow_mut().insert(name.to_owned(), has);
        has
    }

    /// Changes the level of code that is emitted from now on.
    pub fn set_level(&self, level: Level) {
        // SAFETY: a live machine, which belongs to one session and so to one thread.
        unsafe { sinter_set_level(self.raw, level.raw()) };
    }

    pub(crate) fn raw(&self) -> LLVMTargetMachineRef {
        self.raw
    }

    pub(crate) fn layout(&self) -> LLVMTargetDataRef {
        self.layout
    }

    /// Generates code. Fails also if LLVM only reports an error and returns success.
    pub fn emit(&self, module: &Module<'_>, emit: Emit) -> Result<Vec<u8>, LlvmError> {
        let kind = match emit {
            Emit::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
            Emit::Object => LLVMCodeGenFileType::LLVMObjectFile,
        };
        // SAFETY: a machine and a module of one session, whose context no other thread uses.
        let buffer = guarded(|| unsafe { sinter_emit(self.raw, module.raw(), kind) })?;
        module.session().check()?;
        match buffer.is_null() {
            true => Err(LlvmError::Diagnostic { message: "this target has no such code".to_owned() }),
            false => Ok(take_buffer(buffer)),
        }
    }
}

/// The features of a list that change what a known CPU has anyway.
fn needed_features(target: LLVMTargetRef, triple: &CStr, cpu: &CStr, features: &CStr) -> Result<CString, LlvmError> {
    let (triple, cpu, features) = (triple.as_ptr(), cpu.as_ptr(), features.as_ptr());
    // SAFETY: a registered target and three C strings.
    let needed = guarded(|| unsafe { sinter_needed_features(target, triple, cpu, features) })?;
    take_malloced(needed).map(|needed| c_string(&needed)).ok_or(LlvmError::OutOfMemory)
}

fn find_target(triple: &str) -> Result<LLVMTargetRef, LlvmError> {
    let (triple, mut target, mut message) = (c_string(triple), ptr::null_mut(), ptr::null_mut());
    // SAFETY: a C string and two out-pointers.
    let failed = unsafe { LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) };
    if failed == 0 { Ok(target) } else { Err(LlvmError::Diagnostic { message: take_message(message) }) }
}

/// Copies and frees a buffer that LLVM returned.
pub(crate) fn take_buffer(buffer: LLVMMemoryBufferRef) -> Vec<u8> {
    if buffer.is_null() {
        return Vec::new();
    }
    // SAFETY: a valid buffer; start and size describe its bytes.
    let bytes =
        unsafe { std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer)) }
            .to_vec();
    // SAFETY: the buffer is ours and not used again.
    unsafe { LLVMDisposeMemoryBuffer(buffer) };
    bytes
}

impl Drop for Machine {
    fn drop(&mut self) {
        if guard::poisoned().is_none() {
            // SAFETY: made in `new`, not used again.
            unsafe { LLVMDisposeTargetData(self.layout) };
            // SAFETY: as above.
            unsafe { LLVMDisposeTargetMachine(self.raw) };
        }
    }
}
