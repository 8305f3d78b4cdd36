//! Extracts the names that users give to kernels.
//!
//! In: the readable name of a kernel's entry function. Out: the part that occurs in the program's
//! source. *Invariant:* a name that does not come from the SYCL headers is returned unchanged.

/// Function template whose instances are the kernels of the SYCL headers. Its argument is the kind
/// of the kernel, with the kernel name, if any, and the type of the kernel function.
const ENTRY: &str = "sycl::detail::kernel_entry<";
/// Placeholder for the name of an unnamed kernel.
const UNNAMED: &str = "sycl::detail::unnamed";

/// Kernel name or function type of a kernel of the SYCL headers; any other name unchanged. Accepts
/// names with or without return type and parameters.
pub(super) fn kernel_name(readable: &str) -> &str {
    of_headers(readable).unwrap_or(readable)
}

fn of_headers(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("void ").unwrap_or(name).strip_prefix(ENTRY)?;
    let (_, arguments) = closed(rest)?.0.trim_end().strip_suffix('>')?.split_once('<')?;
    let arguments = split(arguments);
    let named = arguments.first().filter(|name| **name != UNNAMED);
    named.or(arguments.last()).copied()
}

/// Change of the nesting depth at a character: 1 for an opening bracket, -1 for a closing one.
fn step(c: char) -> i32 {
    i32::from(matches!(c, '<' | '(' | '{' | '[')) - i32::from(matches!(c, '>' | ')' | '}' | ']'))
}

/// Splits `text` at the bracket that closes one opened before `text`. `None` if there is none.
pub(super) fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let is_end = |c: char| {
        depth += step(c);
        depth < 0
    };
    text.split_once(is_end)
}

/// Splits at commas outside of brackets.
pub(super) fn split(arguments: &str) -> Vec<&str> {
    let mut depth = 0;
    let at_top = |c: char| {
        depth += step(c);
        c == ',' && depth == 0
    };
    arguments.split(at_top).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::kernel_name;

    #[test]
    fn kernels_of_the_headers_are_called_by_name_or_function() {
        let kind = "sycl::detail::range_kernel<sycl::detail::unnamed, 1, main::$_0>";
        assert_eq!(kernel_name(&format!("void sycl::detail::kernel_entry<{kind}>({kind} const&)")), "main::$_0");
        assert_eq!(kernel_name(&format!("sycl::detail::kernel_entry<{kind} >")), "main::$_0");
        let named = "sycl::detail::kernel_entry<sycl::detail::range_kernel<a::name<1, int>, 1, F<float (int)>>>";
        assert_eq!(kernel_name(named), "a::name<1, int>");
    }

    #[test]
    fn other_names_stay() {
        for name in ["triad(float*)", "", "sycl::detail::kernel_entry<", "sycl::detail::kernel_entry<int>(int)"] {
            assert_eq!(kernel_name(name), name);
        }
    }
}
