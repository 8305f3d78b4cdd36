//! Registers published objects with debuggers.
//!
//! In: an object whose section headers have the sections' addresses. Out: an entry in the list that
//! GDB and LLDB read ("JIT Compilation Interface", GDB's manual), when they attach and whenever the
//! list changes. *Invariant:* an entry does not move until it has left the list, and the list
//! changes under one lock.
//!
//! The two symbols that debuggers look up are local to this library, so that they do not clash with
//! those of another compiler in the process: LLVM defines the same ones. Debuggers find local
//! symbols in a library's symbol table, which stripping must preserve (`strip --strip-unneeded -K
//! __jit_debug_descriptor -K __jit_debug_register_code`).

use std::{
    arch::global_asm,
    ptr,
    sync::{Mutex, PoisonError},
};

// `sinter_jit_descriptor` returns the address of the descriptor; version 1 is the only one.
global_asm!(
    ".pushsection .text.sinter_jit, \"ax\", @progbits",
    ".type __jit_debug_register_code, @function",
    "__jit_debug_register_code:",
    "ret",
    ".size __jit_debug_register_code, . - __jit_debug_register_code",
    ".hidden sinter_jit_changed",
    ".globl sinter_jit_changed",
    ".type sinter_jit_changed, @function",
    "sinter_jit_changed:",
    "sub $8, %rsp",
    "call __jit_debug_register_code",
    "add $8, %rsp",
    "ret",
    ".size sinter_jit_changed, . - sinter_jit_changed",
    ".hidden sinter_jit_descriptor",
    ".globl sinter_jit_descriptor",
    ".type sinter_jit_descriptor, @function",
    "sinter_jit_descriptor:",
    "leaq __jit_debug_descriptor(%rip), %rax",
    "ret",
    ".size sinter_jit_descriptor, . - sinter_jit_descriptor",
    ".popsection",
    ".pushsection .data.sinter_jit, \"aw\", @progbits",
    ".type __jit_debug_descriptor, @object",
    ".p2align 3",
    "__jit_debug_descriptor:",
    ".long 1",
    ".long 0",
    ".quad 0",
    ".quad 0",
    ".size __jit_debug_descriptor, . - __jit_debug_descriptor",
    ".popsection",
    options(att_syntax)
);

unsafe extern "C" {
    /// Debuggers set a breakpoint here.
    fn sinter_jit_changed();
    fn sinter_jit_descriptor() -> *mut Descriptor;
}

/// Action on the descriptor's current entry: `jit_actions_t`.
const REGISTERED: u32 = 1;
const UNREGISTERED: u32 = 2;

/// `struct jit_descriptor`.
#[repr(C)]
struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

/// `struct jit_code_entry`.
#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    file: *const u8,
    size: u64,
}

/// Serialises changes of the list.
static LIST: Mutex<()> = Mutex::new(());

/// An object that debuggers see until it is dropped.
pub(super) struct Registration {
    entry: *mut Entry,
    _file: Box<[u8]>,
}

// SAFETY: the entry is only changed under the lock.
unsafe impl Send for Registration {}
// SAFETY: as above; there is no access through a shared reference.
unsafe impl Sync for Registration {}

impl Registration {
    /// Registers an ELF file with debuggers.
    pub(super) fn new(file: Box<[u8]>) -> Self {
        let (address, size) = (file.as_ptr(), file.len() as u64);
        let entry =
            Box::into_raw(Box::new(Entry { next: ptr::null_mut(), previous: ptr::null_mut(), file: address, size }));
        change(REGISTERED, entry, |descriptor| {
            // SAFETY: `entry` was just made, and entries in the list live until they leave it under
            // this lock.
            unsafe {
                (*entry).next = descriptor.first;
                if let Some(next) = descriptor.first.as_mut() {
                    next.previous = entry;
                }
            }
            descriptor.first = entry;
        });
        Registration { entry, _file: file }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let entry = self.entry;
        change(UNREGISTERED, entry, |descriptor| {
            // SAFETY: the entry and its neighbours are in the list, which nobody else changes now.
            unsafe {
                match (*entry).previous.as_mut() {
                    Some(previous) => previous.next = (*entry).next,
                    None => descriptor.first = (*entry).next,
                }
                if let Some(next) = (*entry).next.as_mut() {
                    next.previous = (*entry).previous;
                }
            }
        });
        // SAFETY: made by `Box::into_raw` in `new`; it has left the list.
        drop(unsafe { Box::from_raw(entry) });
    }
}

/// Changes the list and notifies debuggers.
fn change(action: u32, entry: *mut Entry, update: impl FnOnce(&mut Descriptor)) {
    let _one = LIST.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the descriptor is a variable of this library that only this function refers to, under
    // the lock.
    let descriptor = unsafe { &mut *sinter_jit_descriptor() };
    debug_assert_eq!(descriptor.version, 1, "the version that debuggers know");
    update(descriptor);
    (descriptor.action, descriptor.relevant) = (action, entry);
    // SAFETY: an empty function.
    unsafe { sinter_jit_changed() };
    descriptor.relevant = ptr::null_mut();
    descriptor.action = 0;
}
