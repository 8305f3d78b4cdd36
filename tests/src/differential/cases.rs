//! Makes a case, which runs on any device through the drivers' traits, of a kernel and its
//! launches.
//!
//! In: a kernel, the styles of its IR and its translation, launches, a target. Out: the translated
//! code with the memory that the interpreter leaves. *Invariant:* a case needs no compiler on the
//! machine with the device.

use super::{
    execute::{self, Variant},
    interpret::{Memory, interpret},
    language::{Kernel, MAX_GROUP, Shape},
    llvm::{self, Style},
};
use sinter_core::Target;
use sinter_device_cases::{Buffer, Case, Launch, Value};

/// A kernel with the shapes of its launches.
pub struct Plan<'k> {
    pub name: String,
    pub kernel: &'k Kernel,
    pub style: Style,
    pub variant: Variant,
    /// All of one shape if the variant is fixed.
    pub shapes: Vec<Shape>,
}

impl Plan<'_> {
    /// Translates the kernel and interprets its launches.
    pub fn case(&self, target: &Target) -> Result<Case, String> {
        let name = format!("{} {:?}", self.name, self.variant);
        let failed = |error: String| format!("{name}: {error}");
        let first = self.shapes.first().ok_or_else(|| failed("no launch".to_owned()))?;
        let image = execute::image(&llvm::emit(self.kernel, self.style), self.style).map_err(failed)?;
        let code = execute::translate_for(&image, self.variant, first, target.clone()).map_err(failed)?;
        let launches = self.shapes.iter().map(|shape| launch(self.kernel, shape)).collect();
        Ok(Case { name, code, launches })
    }
}

fn launch(kernel: &Kernel, shape: &Shape) -> Launch {
    let (before, mut after) = (Memory::new(shape), Memory::new(shape));
    interpret(kernel, shape, &mut after);
    let buffer = |name: &str, before: &[u32], after: &[u32]| Buffer {
        name: name.to_owned(),
        before: before.to_vec(),
        after: after.to_vec(),
    };
    let pointers = (0..4).map(Value::Pointer);
    let scalars = before.arguments.iter().map(|argument| Value::Bytes(argument.to_le_bytes().to_vec()));
    Launch {
        global: std::array::from_fn(|d| u64::from(shape.group[d] * shape.groups[d])),
        group: shape.group,
        local_memory: 4 * MAX_GROUP as u32,
        parameters: pointers.chain(scalars).collect(),
        buffers: vec![
            buffer("input", &before.input, &after.input),
            buffer("output", &before.output, &after.output),
            buffer("arrays", &before.arrays, &after.arrays),
            buffer("cells", &before.cells, &after.cells),
        ],
    }
}
