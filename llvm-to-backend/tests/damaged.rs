//! Damaged bitcode without a digest.
//!
//! LLVM checks more of a module that it reads as a whole than of functions that it reads one by
//! one, and ends the process on damage that it did not check for.

use sinter_core::{Image, KernelConfig, Observer, Target, TranslateRequest, Translator};
use sinter_translate::{LinkedTranslator, kernels};

#[test]
fn a_reference_that_leads_nowhere() {
    let bytes = include_bytes!("damaged/never_resolved.bc");
    let kernel = kernels(bytes).unwrap().into_symbols().swap_remove(0);
    let request = TranslateRequest {
        image: Image { hash: None, bytes: bytes.as_slice().into() },
        imports: Vec::new(),
        libraries: Vec::new(),
        target: Target::Spirv("opencl".parse().unwrap()),
        config: KernelConfig::generic(&kernel),
    };
    let error = LinkedTranslator.translate(&request, &Observer::default()).unwrap_err().to_string();
    assert!(error.contains("Never resolved value found in function"), "{error}");
}
