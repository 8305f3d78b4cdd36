//! Functions that are told of compilations, and regions without any.
//!
//! *Invariant:* `sinter_observer` and `sinter_region` start with a mark that is overwritten when
//! they end. A `sinter_compilation` and its strings live as long as the call that gets them.
#![expect(unsafe_code, reason = "exports C symbols, hands out pointers and calls functions of C callers")]

use super::{global, guard::guard, pointer};
use crate::{
    abi,
    compilations::{self, Compilation, Observation, Outcome, is_telling},
    error::RuntimeError,
    statistics::{Made, Reason, Source},
};
use sinter_core::OptLevel;
use std::{
    ffi::{CString, c_void},
    time::Duration,
};

const DEAD: u64 = 0xdead_dead_dead_dead;

/// A function of the program.
type Function = unsafe extern "C" fn(*const abi::Compilation, *mut c_void);

/// A function of the program with its argument.
struct Told {
    function: Function,
    data: *mut c_void,
}

// SAFETY: the header says that the function is called on any thread, also on several at once.
unsafe impl Send for Told {}
// SAFETY: as above.
unsafe impl Sync for Told {}

impl Told {
    /// # Safety
    /// `function` may be called with `data` on any thread.
    unsafe fn new(function: Option<Function>, data: *mut c_void) -> Result<Self, RuntimeError> {
        let function = function.ok_or_else(|| RuntimeError::invalid("function", "is null"))?;
        Ok(Told { function, data })
    }

    fn call(&self, compilation: &Compilation) {
        with_record(compilation, |record| {
            // SAFETY: the caller of `new` promised it; the record outlives the call.
            unsafe { (self.function)(record, self.data) }
        });
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn number_of_reason(reason: Reason) -> u32 {
    match reason {
        Reason::Launch => 0,
        Reason::Upgrade => 1,
        Reason::Values => 2,
        Reason::Ahead => 3,
    }
}

fn number_of_source(outcome: &Outcome) -> u32 {
    match outcome {
        Outcome::Failed(_) => 0,
        Outcome::Ready(Made { source: Source::Translated, .. }) => 1,
        Outcome::Ready(Made { source: Source::Disk, .. }) => 2,
        Outcome::Ready(Made { source: Source::System, .. }) => 3,
        Outcome::Ready(Made { source: Source::Memory, .. }) => 4,
        Outcome::UnderWay => 5,
    }
}

fn number_of_level(level: OptLevel) -> u32 {
    match level {
        OptLevel::O0 => 0,
        OptLevel::O1 => 1,
        OptLevel::O3 => 2,
    }
}

/// Calls `action` with the record of a compilation for C.
fn with_record(compilation: &Compilation, action: impl FnOnce(&abi::Compilation)) {
    let text = |text: &str| CString::new(text.replace('\0', "?")).unwrap_or_default();
    let Compilation { symbol, device, device_index, variant, reason, outcome, duration } = compilation;
    let failure = match outcome {
        Outcome::Failed(message) => Some(text(message)),
        Outcome::Ready(_) | Outcome::UnderWay => None,
    };
    let none = Duration::ZERO;
    let (level, times) = match outcome {
        Outcome::Ready(made) => (number_of_level(made.level), [made.translate, made.assemble, made.load]),
        Outcome::Failed(_) | Outcome::UnderWay => (abi::NO_LEVEL, [none; 3]),
    };
    let [kernel, symbol, device, variant] = [&compilation.kernel(), symbol, device, variant].map(|part| text(part));
    let [translate_nanoseconds, assemble_nanoseconds, load_nanoseconds] = times.map(nanoseconds);
    action(&abi::Compilation {
        struct_size: size_of::<abi::Compilation>() as u32,
        device: *device_index,
        reason: number_of_reason(*reason),
        source: number_of_source(outcome),
        level,
        reserved: 0,
        kernel: kernel.as_ptr(),
        symbol: symbol.as_ptr(),
        device_name: device.as_ptr(),
        variant: variant.as_ptr(),
        failure: failure.as_ref().map_or(std::ptr::null(), |failure| failure.as_ptr()),
        nanoseconds: nanoseconds(*duration),
        translate_nanoseconds,
        assemble_nanoseconds,
        load_nanoseconds,
    });
}

/// A handle with a mark that says that it is alive.
#[repr(C)]
pub struct Marked<T> {
    mark: u64,
    value: T,
}

/// Target of a `sinter_observer` handle.
pub type CObserver = Marked<Observation>;
/// Target of a `sinter_region` handle.
pub type CRegion = Marked<compilations::Region>;

const OBSERVER: u64 = 0x4f42_5345_5256_534e;
const REGION: u64 = 0x5245_4749_4f4e_534e;

/// Takes the value of a handle back. A handle without the mark of a live one is an error.
///
/// # Safety
/// Unless null or misaligned, `handle` is readable, and no other thread uses it.
unsafe fn take<T>(what: &'static str, handle: *mut Marked<T>, mark: u64) -> Result<T, RuntimeError> {
    pointer::check(what, handle)?;
    // SAFETY: readable by the caller's promise; nothing but the mark is read before the mark is
    // checked.
    if unsafe { (&raw const (*handle).mark).read() } != mark {
        return Err(RuntimeError::invalid(what, format!("is not a live {what}")));
    }
    // SAFETY: the mark says that it came from `Box::into_raw` and was not taken back.
    let mut owned = unsafe { Box::from_raw(handle) };
    owned.mark = DEAD;
    // Keeps the compiler from removing the store to memory that is about to be freed.
    std::hint::black_box(&owned.mark);
    Ok(owned.value)
}

/// `sinter_observer_create`: see `sinter/jit.h`.
///
/// # Safety
/// `function` is null or may be called with `data` on any thread until the observer is destroyed,
/// `observer` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_observer_create(
    function: Option<Function>,
    data: *mut c_void,
    observer: *mut *mut CObserver,
) -> i32 {
    guard(|| {
        pointer::check("observer", observer)?;
        // SAFETY: the caller's promise.
        let told = unsafe { Told::new(function, data) }?;
        let value = global::runtime().observe_compilations(move |compilation| told.call(compilation));
        let handle = Box::into_raw(Box::new(Marked { mark: OBSERVER, value }));
        // SAFETY: writable by the caller's promise.
        unsafe { pointer::write("observer", observer, handle) }
    })
}

/// `sinter_observer_destroy`: see `sinter/jit.h`.
///
/// # Safety
/// `observer` is null or an observer that no other thread destroys.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_observer_destroy(observer: *mut CObserver) -> i32 {
    guard(|| {
        if observer.is_null() {
            return Ok(());
        }
        if is_telling() {
            return Err(Observation::within_a_call());
        }
        // SAFETY: the caller's promise.
        unsafe { take("observer", observer, OBSERVER) }?.stop()
    })
}

/// `sinter_region_begin`: see `sinter/jit.h`.
///
/// # Safety
/// `region` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_region_begin(region: *mut *mut CRegion) -> i32 {
    guard(|| {
        pointer::check("region", region)?;
        let handle = Box::into_raw(Box::new(Marked { mark: REGION, value: global::runtime().open_region() }));
        // SAFETY: writable by the caller's promise.
        unsafe { pointer::write("region", region, handle) }
    })
}

/// `sinter_region_end`: see `sinter/jit.h`.
///
/// # Safety
/// `region` is null or a region that no other thread ends; `function` is null or may be called with
/// `data`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_region_end(region: *mut CRegion, function: Option<Function>, data: *mut c_void) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let result = unsafe { take("region", region, REGION) }?.end();
        if let (Err(RuntimeError::Compiled { compilations }), Some(_)) = (&result, function) {
            // SAFETY: the caller's promise.
            let told = unsafe { Told::new(function, data) }?;
            compilations.iter().for_each(|compilation| told.call(compilation));
        }
        result
    })
}
