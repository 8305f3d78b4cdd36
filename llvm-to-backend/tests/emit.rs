//! Code made from IR that a tool saved.

use sinter_core::{Image, KernelConfig, Observer, Target, TranslateRequest};
use sinter_translate::{Format, Product, Step, assemble, emit, inspect};

#[test]
fn an_error_names_kernel_and_step() {
    let text = "define void @k(ptr %p, double %x) {\n store double %x, ptr %p\n ret void\n}\n";
    let request = TranslateRequest {
        image: Image { hash: None, bytes: assemble(text.as_bytes()).unwrap().into() },
        imports: Vec::new(),
        libraries: Vec::new(),
        target: Target::Spirv("opencl:-fp64".parse().unwrap()),
        config: KernelConfig::generic("k"),
    };
    let Product::Ir(ir) = inspect(&request, &Observer::default(), Some(Step::Optimise)).unwrap() else {
        panic!("the translation did not stop")
    };
    for format in [Format::Assembly, Format::Object] {
        let error = emit(&ir, &request, format).unwrap_err().to_string();
        let expected = inspect(&request, &Observer::default(), None).map(drop).unwrap_err().to_string();
        assert_eq!(error, expected, "as the whole translation says it");
        assert!(error.contains("cannot translate kernel `k`") && error.contains("(step lower)"), "{error}");
    }
}
