//! Advises on symbols of the host's libraries.
//!
//! In: a symbol without a device definition. Out: advice, if the symbol belongs to the C or C++
//! library. *Invariant:* advice only; a device builtin of such a name is resolved long before.

use sinter_core::names::demangled;

const OF_C: &str = "it is of the host's C library, which devices do not have; use a function of `sycl::`, or take it \
    out of the kernel";
const OF_CXX: &str = "it is of the host's C++ library, which devices do not have; use a function of `sycl::`, or \
    take it out of the kernel";
const PRINTS: &str = "it is of the host's C++ library, which devices do not have; print with \
    `sycl::ext::oneapi::experimental::printf`, in HIP and CUDA with `printf`, or take it out of the kernel";
const HEAP: &str = "devices have no heap; allocate before the launch (`sycl::malloc_device`, `hipMalloc`) and pass the \
    pointer to the kernel";
const API: &str = "functions of the API and launches of kernels are for host code; call it there";
/// Prefix of the functions behind the API of HIP and CUDA.
const API_PREFIX: &str = "sinter_hip_";
const START: &str = "devices have no C++ run-time library to initialise it; make the variable `constexpr`, or pass \
    the value as a kernel argument";

/// Namespaces of the C++ library.
const SCOPES: [&str; 3] = ["std::", "__gnu_cxx::", "__cxxabiv1::"];
/// Streams of the C++ library and their classes, which are most of the library's symbols that
/// kernels refer to.
const STREAMS: [&str; 9] =
    ["cout", "cerr", "clog", "cin", "wcout", "ostream", "basic_ostream", "ios_base", "__ostream_"];

/// Functions of ISO C and POSIX that code may bring into a kernel, with those to which glibc's
/// headers redirect them.
const C_FUNCTIONS: &str = "\
    __assert __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __fprintf_chk __isoc23_strtol \
    __isoc23_strtoll __isoc23_strtoul __isoc99_sscanf __memcpy_chk __snprintf_chk __sprintf_chk __stack_chk_fail \
    __strcpy_chk atexit atof atoi atol atoll bsearch clock clock_gettime close difftime drand48 erand48 exit fclose \
    feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread fscanf fseek ftell fwrite getc getchar getenv \
    getpid gettimeofday gmtime isalnum isalpha isdigit islower isspace isupper localtime longjmp lrand48 \
    mktime mmap mrand48 nanosleep open perror posix_memalign pthread_create pthread_join pthread_mutex_lock \
    pthread_mutex_unlock pthread_self putc puts qsort quick_exit rand rand_r random read remove rename scanf setenv \
    setjmp setlocale setvbuf signal sleep snprintf sprintf srand srand48 srandom sscanf strcat strchr strcmp \
    strcoll strcpy strdup strerror strftime strlen strncat strncmp strncpy strrchr strstr strtod strtof strtok \
    strtol strtold strtoll strtoul strtoull system time tolower toupper ungetc usleep vfprintf vprintf vsnprintf \
    vsprintf wcslen write";
/// C functions that allocate or free memory.
const C_HEAP: [&str; 5] = ["malloc", "calloc", "realloc", "free", "aligned_alloc"];
const C_VARIABLES: [&str; 5] = ["stdin", "stdout", "stderr", "environ", "__environ"];
/// Functions of the C++ runtime library that initialise local static variables (Itanium C++ ABI,
/// 3.3.3).
const GUARDS: [&str; 4] = ["__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort", "__cxa_atexit"];

/// Advice about a function. `None` if it belongs to neither library.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    if C_HEAP.contains(&name) {
        return Some(HEAP);
    }
    if name.starts_with(API_PREFIX) {
        return Some(API);
    }
    if GUARDS.contains(&name) {
        return Some(START);
    }
    if C_FUNCTIONS.split_ascii_whitespace().any(|known| known == name) {
        return Some(OF_C);
    }
    of_cxx(name)
}

/// Advice about a variable. `None` if it belongs to neither library.
pub(crate) fn variable(name: &str) -> Option<&'static str> {
    if C_VARIABLES.contains(&name) { Some(OF_C) } else { of_cxx(name) }
}

fn of_cxx(symbol: &str) -> Option<&'static str> {
    let name = demangled(symbol)?;
    if ["operator new", "operator delete"].iter().any(|heap| name.starts_with(heap)) {
        return Some(HEAP);
    }
    let inner = SCOPES.iter().find_map(|scope| name.strip_prefix(scope))?;
    let prints = STREAMS.iter().any(|stream| inner.starts_with(stream)) || inner.starts_with("operator<<");
    Some(if prints { PRINTS } else { OF_CXX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_libraries_are_told_from_others() {
        for (name, advice) in [
            ("rand", Some(OF_C)),
            ("malloc", Some(HEAP)),
            ("_Znwm", Some(HEAP)),
            ("__cxa_guard_acquire", Some(START)),
            ("_ZNSolsEi", Some(PRINTS)),
            ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", Some(PRINTS)),
            ("_ZNSt6thread4joinEv", Some(OF_CXX)),
            ("_ZSt20__throw_length_errorPKc", Some(OF_CXX)),
            ("_Z4randv", None),
            ("half", None),
            ("_ZN4mine3std4joinEv", None),
        ] {
            assert_eq!(function(name), advice, "{name}");
        }
    }

    #[test]
    fn variables_of_the_libraries_are_told_from_others() {
        let all = [("_ZSt4cout", Some(PRINTS)), ("stdout", Some(OF_C)), ("cout", None), ("_ZN4mine4coutE", None)];
        for (name, advice) in all {
            assert_eq!(variable(name), advice, "{name}");
        }
    }
}
