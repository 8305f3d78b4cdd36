//! Source locations of instructions.
//!
//! *Invariant:* an instruction without debug information has no location; an inlined one has its
//! own and those of its call sites.

use crate::{ir::Value, text::copy_string};
use llvm_sys::{core::*, debuginfo::*, prelude::*};

/// Parts of the paths of our headers and those of the C++ library, which are skipped: users look
/// for the mistake in their own code.
const HEADERS: [&str; 5] = ["include/sycl/", "include/sinter/", "include/stdpar/", "include/c++/", "/usr/lib/gcc/"];

/// A source location. Lines and columns count from 1; 0 is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Path of the file, with its folder if known.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl<'s> Value<'s> {
    /// `file:line` of an instruction with debug information: the innermost location outside of
    /// library headers, and the one in the header.
    pub fn location(self) -> Option<String> {
        let frames = self.frames();
        let innermost = frames.first()?;
        match frames.iter().find(|place| is_own(place)) {
            Some(own) if own != innermost => Some(format!("{own}, in {innermost}")),
            _ => Some(innermost.clone()),
        }
    }

    /// The location of the first instruction of a function that is not all of library headers.
    pub fn first_location(self) -> Option<String> {
        let own = |one: &Value<'s>| one.frames().iter().any(|place| is_own(place));
        self.instructions().into_iter().find(own).and_then(Value::location)
    }

    /// The locations of an instruction and of the call sites through which it was inlined,
    /// innermost first.
    fn frames(self) -> Vec<String> {
        let mut frames = Vec::new();
        if !self.is_instruction() {
            return frames;
        }
        // SAFETY: an instruction; null where it has no place.
        let mut place = unsafe { LLVMInstructionGetDebugLoc(self.raw()) };
        while !place.is_null() {
            frames.extend(frame(place));
            // SAFETY: a place; null where it was not inlined.
            place = unsafe { LLVMDILocationGetInlinedAt(place) };
        }
        frames
    }

    /// The location of an instruction.
    pub fn place(self) -> Option<Place> {
        let (mut folder_length, mut file_length) = (0, 0);
        // SAFETY: an instruction and an out-pointer.
        let folder = unsafe { LLVMGetDebugLocDirectory(self.raw(), &mut folder_length) };
        // SAFETY: as above.
        let file = unsafe { LLVMGetDebugLocFilename(self.raw(), &mut file_length) };
        if file.is_null() {
            return None;
        }
        let folder = if folder.is_null() { String::new() } else { copy_string(folder, folder_length as usize) };
        let file = copy_string(file, file_length as usize);
        let file = if folder.is_empty() || file.starts_with('/') { file } else { format!("{folder}/{file}") };
        // SAFETY: an instruction with a place.
        let (line, column) = unsafe { (LLVMGetDebugLocLine(self.raw()), LLVMGetDebugLocColumn(self.raw())) };
        Some(Place { file, line, column })
    }
}

/// `file:line` of a place, without the call sites through which it was inlined.
fn frame(place: LLVMMetadataRef) -> Option<String> {
    // SAFETY: a place.
    let line = unsafe { LLVMDILocationGetLine(place) };
    file_of(place).filter(|_| line != 0).map(|file| format!("{file}:{line}"))
}

/// True if an instruction has a place outside of the headers of libraries.
pub(crate) fn is_of_program(instruction: LLVMValueRef) -> bool {
    // SAFETY: an instruction; null where it has no place.
    let place = unsafe { LLVMInstructionGetDebugLoc(instruction) };
    !place.is_null() && frame(place).is_some_and(|place| is_own(&place))
}

/// The path of a location's file.
fn file_of(place: LLVMMetadataRef) -> Option<String> {
    // SAFETY: a place, which has a scope.
    let scope = unsafe { LLVMDILocationGetScope(place) };
    // SAFETY: a scope; null where it has no file.
    let file = unsafe { LLVMDIScopeGetFile(scope) };
    if file.is_null() {
        return None;
    }
    let mut length = 0;
    // SAFETY: a file and an out-pointer.
    let name = unsafe { LLVMDIFileGetFilename(file, &mut length) };
    (!name.is_null()).then(|| copy_string(name, length as usize))
}

/// True for a place outside of the headers of libraries.
fn is_own(place: &str) -> bool {
    !HEADERS.iter().any(|part| place.contains(part))
}
