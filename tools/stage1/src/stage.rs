//! The order of the steps. It is written only here.
//!
//! *Invariant:* the host module is changed only after the device module has been accepted, so that
//! clang can continue after an error; only what clang made of HIP is converted before.

use crate::{
    annotations::{self, Marks},
    assembly, assertions, attributes, bind, builtins, check, constants,
    container::{self, Container},
    convergent, descriptors,
    device_globals::{self, DeviceGlobal},
    error::{Reporter, Stage1Error},
    exceptions, flatten, hip, host, image, math,
    optional::{self, LeftOut},
    outline, references, requirements, sanitizers, virtual_classes,
};
use sinter_llvm::{
    allow_unrolling,
    inkwell::module::Module,
    stage1::{plugin::Level, surgery},
};

/// The level at which clang forbids to unroll any loop, so that nothing tells which ones the source
/// forbids. Stage 2 has levels of its own.
const WITHOUT_UNROLLING: Level = Level(1);

/// Effect of stage 1 on a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The module uses no SYCL, or was processed before.
    Unchanged,
    /// The module uses device declarations but has no kernel.
    Cleaned,
    /// The module has kernels or exported functions, which the container holds.
    Embedded {
        /// Bytes of the container.
        container: Vec<u8>,
    },
}

/// Products of stage 1 that are complete before the host module is changed.
struct Device {
    /// None if all kernels are left out.
    container: Option<Container>,
    left_out: Vec<LeftOut>,
    /// Functions that other units have to define.
    needed: Vec<String>,
    /// Device globals that device code uses.
    globals: Vec<DeviceGlobal>,
}

/// Runs stage 1 on `module`. Device code comes from `of_devices` if the unit, which is of HIP, was
/// parsed for devices too.
pub fn run<'ctx>(
    module: &Module<'ctx>,
    of_devices: Option<&Module<'ctx>>,
    level: Level,
    reporter: &mut Reporter<'_>,
) -> Result<Outcome, Stage1Error> {
    let hip = hip::prepare(module)?;
    let of_devices = of_devices.filter(|_| hip.is_some());
    if let (Some(hip), Some(of_devices)) = (&hip, of_devices) {
        hip::adopt_device_pass(module, hip, of_devices, reporter)?;
        reporter.accept()?;
    }
    let source = of_devices.unwrap_or(module);
    let marks = annotations::read(module);
    let globals = device_globals::find(module);
    if hip.is_none()
        && marks.is_empty()
        && (host::is_processed(module) || (globals.is_empty() && !builtins::any_in(module)))
    {
        return Ok(Outcome::Unchanged);
    }
    let device = if marks.is_empty() { None } else { Some(device(source, level, hip.as_ref(), reporter)?) };
    let used = device.as_ref().map(|device| device.globals.clone()).unwrap_or_default();
    if let Some(of_devices) = of_devices {
        hip::report_missing(module, of_devices, &used, reporter);
        reporter.accept()?;
    }
    let mut listed = device_globals::with_visible(used, module, &globals);
    device_globals::add_unused(&mut listed, hip.as_ref().map_or(&[], |hip| &hip.variables));
    let descriptors =
        descriptors::embed(module, device.as_ref().and_then(|device| device.container.as_ref()), &listed)?;
    if let Some(device) = &device {
        references::embed(module, &device.needed)?;
    }
    let left_out = device.as_ref().map(|device| device.left_out.as_slice()).unwrap_or_default();
    if let Some(hip) = &hip {
        hip.finish(module, &descriptors);
    }
    clean_host(module, &marks, &descriptors, left_out, reporter)?;
    let container = device.and_then(|device| device.container);
    Ok(container.map_or(Outcome::Cleaned, |container| Outcome::Embedded { container: container.bytes }))
}

/// Builds the container from a copy of the module that has the device code.
fn device(
    source: &Module<'_>,
    level: Level,
    hip: Option<&hip::Hip>,
    reporter: &mut Reporter<'_>,
) -> Result<Device, Stage1Error> {
    let module = source.clone();
    let found = requirements::read(source, reporter);
    let (mut marks, globals) = (annotations::read(source), device_globals::find(source));
    constants::fold(&module, constants::Side::Device);
    hip::resolve_managed(&module);
    hip::prefer_twins(&module, &mut marks);
    assembly::remove_empty(&module);
    outline::keep(&module, &marks);
    surgery::drop_aliases(&module);
    math::define_complex(&module)?;
    attributes::strip_host(&module);
    if level == WITHOUT_UNROLLING {
        allow_unrolling(&module);
    }
    assertions::replace(&module);
    let catching = optional::catching(&module);
    exceptions::lower(&module);
    sanitizers::remove(&module);
    virtual_classes::detach(&module);
    outline::keep(&module, &marks);
    math::replace_calls(&module)?;
    math::define_integers(&module)?;
    let left_out = optional::leave_out(&module, source, &mut marks, &catching, reporter);
    if marks.is_empty() {
        return Ok(Device { container: None, left_out, needed: Vec::new(), globals: Vec::new() });
    }
    outline::keep(&module, &marks);
    convergent::propagate(&module);
    let mut kernels = flatten::kernels(&module, &marks, reporter)?;
    hip.into_iter().for_each(|hip| hip.mark_kernels(&module));
    for kernel in &mut kernels {
        if let Some(function) = module.get_function(&kernel.symbol) {
            kernel.required = requirements::of_kernel(function, &found, reporter);
        }
    }
    outline::keep(&module, &marks);
    let globals = device_globals::detach(&module, &globals);
    outline::keep(&module, &marks);
    check::unusual_code(&module, reporter);
    reporter.accept()?;
    outline::set_linkage(&module, &marks);
    let needed = references::needed(&module, &marks);
    let image = image::write(&module, &marks)?;
    let container = container::build(image, kernels)?;
    Ok(Device { container: Some(container), left_out, needed, globals })
}

fn clean_host<'ctx>(
    module: &Module<'ctx>,
    marks: &Marks,
    descriptors: &[descriptors::Descriptor<'ctx>],
    left_out: &[LeftOut],
    reporter: &mut Reporter<'_>,
) -> Result<(), Stage1Error> {
    constants::fold(module, constants::Side::Host);
    bind::replace_calls(module, descriptors, left_out, reporter)?;
    reporter.accept()?;
    annotations::remove(module);
    host::remove_entries(module, marks);
    host::remove_unused(module)?;
    host::trap_device_functions(module);
    host::mark_processed(module);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{module_text, process_at};
    use sinter_llvm::stage1::plugin::Level;

    /// A kernel with a loop that has the hints of `#pragma nounroll`, or of `-O1`.
    const LOOP: &str = "br label %body\nbody:\n%i = phi i32 [ 0, %0 ], [ %next, %body ]\n\
        %next = add i32 %i, 1\n%more = icmp ult i32 %next, 4\nbr i1 %more, label %body, label %end, !llvm.loop !90\n\
        end:\n";
    const HINTS: &str = "!90 = distinct !{!90, !91, !92}\n!91 = !{!\"llvm.loop.mustprogress\"}\n\
        !92 = !{!\"llvm.loop.unroll.disable\"}";

    #[test]
    fn loops_may_be_unrolled_where_the_level_forbids_it_for_all() {
        let device = |level| process_at(Level(level), &module_text(LOOP, HINTS)).device;
        assert!(device(2).contains("unroll.disable"));
        let free = device(1);
        assert!(!free.contains("unroll.disable") && free.contains("mustprogress"), "{free}");
    }
}
