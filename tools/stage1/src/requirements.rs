//! Determines the work-group and sub-group sizes and the aspects that kernels require.
//!
//! In: annotations that the plugin made of `sycl::reqd_work_group_size`,
//! `sycl::reqd_sub_group_size` and `sycl::device_has`. Out: the requirements of each kernel: its
//! own and those of all functions that it may call. *Invariant:* sizes start with x, which is
//! SYCL's last dimension; zeros mean no requirement.

use crate::error::{Cause, Reporter};
use sinter_core::{container::REQUIRED_ASPECTS, names::readable};
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{annotation, call::calls, diagnose::Place, name},
};
use std::collections::{HashMap, HashSet};

const GROUP: &str = "sinter_required_group_size";
const SUB_GROUP: &str = "sinter_required_sub_group_size";
const ASPECTS: &str = "sinter_required_aspects";
const ATTRIBUTES: [(&str, &str); 2] = [(GROUP, "sycl::reqd_work_group_size"), (SUB_GROUP, "sycl::reqd_sub_group_size")];

/// True for the annotations of requirements.
pub(crate) fn is_requirement(text: &str) -> bool {
    [GROUP, SUB_GROUP, ASPECTS].contains(&text)
}

/// Sizes that a kernel requires of its launches, and aspects that it requires of its device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Requirements {
    /// Work-items of a work-group along x, y and z; zeros without requirement.
    pub(crate) group_size: [u32; 3],
    /// Work-items of a sub-group; zero without requirement.
    pub(crate) sub_group_size: u32,
    /// A bit for each aspect.
    pub(crate) aspects: u64,
}

impl Requirements {
    /// The requirements as options of the kernel in the container.
    pub(crate) fn options(&self) -> Vec<(String, String)> {
        let [x, y, z] = self.group_size;
        let group = (x > 0).then(|| ("reqd-work-group-size".to_owned(), format!("{x},{y},{z}")));
        let sub_group = self.sub_group_size;
        let sub_group = (sub_group > 0).then(|| ("reqd-sub-group-size".to_owned(), sub_group.to_string()));
        let aspects = (self.aspects > 0).then(|| (REQUIRED_ASPECTS.to_owned(), format!("{:#x}", self.aspects)));
        group.into_iter().chain(sub_group).chain(aspects).collect()
    }
}

/// One requirement of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Requirement {
    function: String,
    attribute: &'static str,
    /// Starts with x; a sub-group has one size.
    sizes: [u32; 3],
}

impl Requirement {
    /// The sizes as in source code, without leading ones.
    fn print(&self) -> String {
        let used = self.sizes.iter().rposition(|size| *size != 1).map_or(1, |last| last + 1);
        self.sizes[..used].iter().rev().map(u32::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Requirements of all functions in a module, in source order.
#[derive(Debug, Default)]
pub(crate) struct Found {
    sizes: Vec<Requirement>,
    /// Functions with the bits of the aspects that they require.
    aspects: Vec<(String, u64)>,
}

/// Reads the requirements of all functions and reports the invalid ones.
pub(crate) fn read(module: &Module<'_>, reporter: &mut Reporter<'_>) -> Found {
    let mut found = Found::default();
    for annotation in annotation::function_annotations(module) {
        if annotation.text == ASPECTS {
            // The header makes one number of all aspects. None is left in what is no constant.
            let bits = annotation.values.first().copied().flatten().unwrap_or_default();
            found.aspects.push((name(annotation.function), bits as u64));
            continue;
        }
        let Some((text, attribute)) = ATTRIBUTES.into_iter().find(|(text, _)| *text == annotation.text) else {
            continue;
        };
        let function = name(annotation.function);
        match sizes(text, &annotation.values) {
            Ok(sizes) => found.sizes.push(Requirement { function, attribute, sizes }),
            Err(wanted) => {
                let cause = Cause::Requirement { attribute, function: readable(&function), wanted };
                reporter.report(Place::Function(annotation.function), &cause);
            }
        }
    }
    found
}

fn sizes(text: &str, values: &[Option<i64>]) -> Result<[u32; 3], &'static str> {
    let (most, wanted) = match text {
        GROUP => (3, "one to three sizes of at least 1"),
        _ => (1, "one size of at least 1"),
    };
    // A size that does not fit is one that no device has either.
    let saturate = |value: i64| u32::try_from(value).unwrap_or(if value > 0 { u32::MAX } else { 0 });
    let size = |value: &Option<i64>| value.map(saturate).filter(|size| *size > 0);
    let mut sizes = [1; 3];
    if values.is_empty() || values.len() > most {
        return Err(wanted);
    }
    for (slot, value) in sizes.iter_mut().zip(values.iter().rev()) {
        *slot = size(value).ok_or(wanted)?;
    }
    Ok(sizes)
}

/// Requirements of a kernel. Functions that are called through pointers do not count.
pub(crate) fn of_kernel(kernel: FunctionValue<'_>, found: &Found, reporter: &mut Reporter<'_>) -> Requirements {
    let mut required = Requirements::default();
    if found.sizes.is_empty() && found.aspects.is_empty() {
        return required;
    }
    let reached: HashMap<String, FunctionValue<'_>> = reached(kernel).into_iter().map(|f| (name(f), f)).collect();
    let mut first: Vec<&Requirement> = Vec::new();
    let of_reached = found.aspects.iter().filter(|(function, _)| reached.contains_key(function));
    required.aspects = of_reached.fold(0, |all, (_, aspects)| all | aspects);
    for requirement in &found.sizes {
        let Some(function) = reached.get(&requirement.function) else { continue };
        match first.iter().find(|other| other.attribute == requirement.attribute) {
            Some(other) if other.sizes == requirement.sizes => {}
            Some(other) => reporter.report(Place::Function(*function), &conflict(kernel, other, requirement)),
            None => first.push(requirement),
        }
    }
    for requirement in first {
        match requirement.attribute == ATTRIBUTES[0].1 {
            true => required.group_size = requirement.sizes,
            false => required.sub_group_size = requirement.sizes[0],
        }
    }
    required
}

fn conflict(kernel: FunctionValue<'_>, old: &Requirement, new: &Requirement) -> Cause {
    Cause::Conflict {
        kernel: readable(&name(kernel)),
        function: readable(&new.function),
        attribute: new.attribute,
        old: old.print(),
        new: new.print(),
    }
}

/// A function and all functions that it calls directly or transitively, without calls through
/// pointers.
fn reached(kernel: FunctionValue<'_>) -> HashSet<FunctionValue<'_>> {
    let mut reached = HashSet::from([kernel]);
    let mut work = vec![kernel];
    while let Some(function) = work.pop() {
        work.extend(calls(function).iter().filter_map(|call| call.function()).filter(|callee| reached.insert(*callee)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{LAUNCH, Result, module_text, process};

    /// A kernel that calls `@run`, which calls `@operator`; attributes as function, annotation and
    /// values.
    fn with(attributes: &[(&str, &str, &str)]) -> Result {
        let mut rest = format!(
            "{LAUNCH}define void @run(ptr %k) {{\n  call void @operator(ptr %k)\n  ret void\n}}
define void @operator(ptr %k) {{\n  ret void\n}}\ndefine void @other() {{\n  ret void\n}}\n",
        );
        let mut entries = String::new();
        for (i, (function, text, values)) in attributes.iter().enumerate() {
            let length = text.len() + 1;
            rest.push_str(&format!(
                "@t{i} = private constant [{length} x i8] c\"{text}\\00\"\n@v{i} = private constant {values}\n"
            ));
            entries.push_str(&format!(
                ", {{ ptr, ptr, ptr, i32, ptr }} {{ ptr @{function}, ptr @t{i}, ptr @.f, i32 1, ptr @v{i} }}"
            ));
        }
        let text = module_text("  call void @run(ptr %closure)", &rest);
        let text = text.replace("i32 1, ptr null }]", &format!("i32 1, ptr null }}{entries}]"));
        process(&text.replace("global [1 x", &format!("global [{} x", attributes.len() + 1)))
    }

    #[test]
    fn a_kernel_has_the_requirements_of_what_it_calls() {
        let result = with(&[
            ("operator", GROUP, "{ i32, i64 } { i32 8, i64 32 }"),
            ("run", SUB_GROUP, "{ i32 } { i32 16 }"),
            ("other", SUB_GROUP, "{ i32 } { i32 64 }"),
        ]);
        assert!(result.causes.is_empty(), "{:?}", result.causes);
        assert!(result.host.contains("[3 x i32] [i32 32, i32 8, i32 1], i32 16, i32 "), "{}", result.host);
        assert!(!result.host.contains("llvm.global.annotations"), "{}", result.host);
    }

    #[test]
    fn requirements_that_exclude_each_other_are_an_error() {
        let same = with(&[("run", GROUP, "{ i32 } { i32 8 }"), ("operator", GROUP, "{ i32, i32 } { i32 1, i32 8 }")]);
        assert!(same.causes.is_empty(), "{:?}", same.causes);
        let causes =
            with(&[("run", SUB_GROUP, "{ i32 } { i32 8 }"), ("operator", SUB_GROUP, "{ i32 } { i32 16 }")]).causes;
        assert!(
            causes[0].contains("`sycl::reqd_sub_group_size` 16, but 8") && causes[0].contains("`kernel`"),
            "{causes:?}"
        );
    }

    #[test]
    fn a_kernel_requires_the_aspects_of_all_that_it_calls() {
        let result = with(&[
            ("operator", ASPECTS, "{ i64 } { i64 128 }"),
            ("run", ASPECTS, "{ i64 } { i64 66 }"),
            ("other", ASPECTS, "{ i64 } { i64 4 }"),
        ]);
        assert!(result.causes.is_empty(), "{:?}", result.causes);
        assert!(result.host.contains("{ i32 136, "), "{}", result.host);
        // 128 | 66, without that of the function that is not called.
        assert!(result.host.contains(", i64 194, i64 "), "{}", result.host);
        assert!(!result.host.contains("llvm.global.annotations"), "{}", result.host);
        let none = with(&[("run", ASPECTS, "{ i64 } zeroinitializer")]);
        assert!(none.causes.is_empty() && none.host.contains("{ i32 120, "), "{}", none.host);
    }

    #[test]
    fn sizes_are_positive_and_not_too_many() {
        for values in [
            "{ i32 } { i32 0 }",
            "{ i32 } { i32 -1 }",
            "{ float } { float 1.0 }",
            "{ i32, i32, i32, i32 } { i32 1, i32 1, i32 1, i32 1 }",
        ] {
            let causes = with(&[("other", GROUP, values)]).causes;
            assert!(
                causes[0].contains("`sycl::reqd_work_group_size` of `other` takes one to three"),
                "{values} {causes:?}"
            );
        }
        assert!(with(&[("other", SUB_GROUP, "{ i32, i32 } { i32 1, i32 1 }")]).causes[0].contains("takes one size"));
    }

    #[test]
    fn a_size_of_more_than_32_bits_is_one_that_no_device_has() {
        assert_eq!(sizes(GROUP, &[Some(1 << 32), Some(4)]), Ok([4, u32::MAX, 1]));
        assert_eq!(sizes(GROUP, &[Some(i64::MAX)]), Ok([u32::MAX, 1, 1]));
        assert!(sizes(GROUP, &[Some(-1)]).is_err() && sizes(GROUP, &[Some(0)]).is_err());
    }

    #[test]
    fn containers_name_the_requirements() {
        let required = Requirements { group_size: [32, 8, 1], sub_group_size: 16, aspects: 0x82 };
        let options = required.options();
        assert_eq!(options[0], ("reqd-work-group-size".to_owned(), "32,8,1".to_owned()));
        assert_eq!(options[1], ("reqd-sub-group-size".to_owned(), "16".to_owned()));
        assert_eq!(options[2], ("required-aspects".to_owned(), "0x82".to_owned()));
        assert!(Requirements::default().options().is_empty());
    }
}
