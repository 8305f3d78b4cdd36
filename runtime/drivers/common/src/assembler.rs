//! Machine code beside what it was made from.
//!
//! In: code objects of a source or of machine code that a vendor's compiler made of it. Out: which of the two a driver has to use, and code objects with
//! both. *Invariant:* the name of an assembler holds all that the machine code depends on besides the source; code under another name is
//! made again.

use crate::{context::Context, vendor::Vendor};
use sinter_core::{Assembly, CodeFormat, CodeObject};
use sinter_driver::DriverError;
use std::sync::Arc;

/// A vendor's compiler for one device.
#[derive(Debug, Clone)]
pub struct Assembler {
    /// Driver, its version, device.
    pub name: String,
    /// What the compiler takes.
    pub source: CodeFormat,
    /// What it makes.
    pub machine: CodeFormat,
}

impl Assembler {
    /// Whether code is machine code that this assembler made, or that nobody can make again.
    pub fn is_ready(&self, code: &CodeObject) -> bool {
        let made = |assembly: &Assembly| assembly.assembler == self.name || assembly.format != self.source;
        code.format != self.source && code.assembly.as_ref().is_none_or(made)
    }

    /// The source that a code object is or was made from.
    fn source_of<'c>(&self, code: &'c CodeObject) -> Option<&'c Arc<[u8]>> {
        match &code.assembly {
            _ if code.format == self.source => Some(&code.bytes),
            Some(assembly) if assembly.format == self.source => Some(&assembly.text),
            _ => None,
        }
    }

    /// What is made of a code object that is not ready.
    pub fn assemble(
        &self,
        code: &CodeObject,
        make: impl FnOnce(&[u8]) -> Result<Arc<[u8]>, DriverError>,
    ) -> Result<CodeObject, DriverError> {
        let text = self.source_of(code).unwrap_or(&code.bytes);
        let assembly = Assembly { format: self.source, text: Arc::clone(text), assembler: self.name.clone() };
        Ok(CodeObject { format: self.machine, bytes: make(text)?, entry: code.entry.clone(), assembly: Some(assembly) })
    }

    /// Whether a code object is machine code, which is loaded, or source, which is compiled first. Anything else is refused.
    pub fn is_machine<V: Vendor>(&self, context: &Context<V>, code: &CodeObject) -> Result<bool, DriverError> {
        if code.format == self.source || code.format == self.machine {
            return Ok(code.format == self.machine);
        }
        let [found, source, machine] = [code.format, self.source, self.machine].map(CodeFormat::name);
        let reason = format!("it is {found}, neither {source} nor {machine}");
        Err(context.refused(&code.entry.symbol, reason))
    }
}
