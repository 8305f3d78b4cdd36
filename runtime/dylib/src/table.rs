//! Function tables of libraries that are opened at run time.
//!
//! In: names and types of functions. Out: a type with a method for each. *Invariant:* every
//! function of a table exists unless it is declared optional, so a call never looks anything up.
//! The library stays loaded for the rest of the process, because unloading a driver that has
//! threads is not safe.

/// Declares a table of functions.
///
/// `codes` return a status, 0 for success, which becomes a `Result`. `values` return their result
/// unchanged. `optional` functions return a status like `codes`; if the library lacks the function,
/// the result is `None`.
#[macro_export]
macro_rules! function_table {
    (
        $(#[$attribute:meta])* $visibility:vis struct $table:ident;
        codes { $($name:ident = $symbol:literal ($($argument:ident: $type:ty),* $(,)?);)* }
        values { $($value:ident = $value_symbol:literal ($($value_argument:ident: $value_type:ty),* $(,)?) -> $result:ty;)* }
        optional { $($option:ident = $option_symbol:literal ($($option_argument:ident: $option_type:ty),* $(,)?);)* }
    ) => {
        $(#[$attribute])*
        $visibility struct $table {
            $($name: unsafe extern "C" fn($($type),*) -> u32,)*
            $($value: unsafe extern "C" fn($($value_type),*) -> $result,)*
            $($option: Option<unsafe extern "C" fn($($option_type),*) -> u32>,)*
        }

        impl $table {
            /// Looks up the functions in a library. The error is the name of a missing one.
            #[allow(dead_code, reason = "a table is made in one of two ways")]
            fn resolve(library: $crate::libloading::Library) -> Result<Self, &'static str> {
                let library = ::std::mem::ManuallyDrop::new(library);
                // SAFETY: every library that has the functions defines them with the types of the
                // table.
                unsafe {
                    Self::resolve_by(|symbol| {
                        library.get::<*mut ::std::ffi::c_void>(symbol.as_bytes()).ok().map(|found| *found)
                    })
                }
            }

            /// Looks up the functions by name. The error is the name of a missing one.
            ///
            /// # Safety
            /// `find` returns functions of the table's types that stay loaded.
            #[allow(dead_code, reason = "a table is made in one of two ways")]
            unsafe fn resolve_by(
                find: impl Fn(&str) -> Option<*mut ::std::ffi::c_void>,
            ) -> Result<Self, &'static str> {
                let find = |symbol| find(symbol).filter(|found| !found.is_null());
                Ok($table {
                    $($name: {
                        let found = find($symbol).ok_or($symbol)?;
                        // SAFETY: upheld by the caller.
                        unsafe {
                            ::std::mem::transmute::<*mut ::std::ffi::c_void, unsafe extern "C" fn($($type),*) -> u32>(found)
                        }
                    },)*
                    $($value: {
                        let found = find($value_symbol).ok_or($value_symbol)?;
                        // SAFETY: as above.
                        unsafe {
                            ::std::mem::transmute::<
                                *mut ::std::ffi::c_void,
                                unsafe extern "C" fn($($value_type),*) -> $result,
                            >(found)
                        }
                    },)*
                    $($option: {
                        // SAFETY: as above.
                        find($option_symbol).map(|found| unsafe {
                            ::std::mem::transmute::<
                                *mut ::std::ffi::c_void,
                                unsafe extern "C" fn($($option_type),*) -> u32,
                            >(found)
                        })
                    },)*
                })
            }

            $(
                #[doc = concat!("Calls `", $symbol, "`.")]
                ///
                /// # Safety
                /// As documented for the function.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "the library's functions have as many")]
                $visibility unsafe fn $name(&self, $($argument: $type),*) -> Result<(), $crate::Failure> {
                    // SAFETY: upheld by the caller.
                    let code = unsafe { (self.$name)($($argument),*) };
                    if code == 0 { Ok(()) } else { Err($crate::Failure { call: $symbol, code }) }
                }
            )*
            $(
                #[doc = concat!("Calls `", $value_symbol, "`.")]
                ///
                /// # Safety
                /// As documented for the function.
                #[allow(clippy::too_many_arguments, reason = "the library's functions have as many")]
                $visibility unsafe fn $value(&self, $($value_argument: $value_type),*) -> $result {
                    // SAFETY: upheld by the caller.
                    unsafe { (self.$value)($($value_argument),*) }
                }
            )*
            $(
                #[doc = concat!("Calls `", $option_symbol, "`, where there is one.")]
                ///
                /// # Safety
                /// As documented for the function.
                #[allow(clippy::too_many_arguments, reason = "the library's functions have as many")]
                $visibility unsafe fn $option(
                    &self, $($option_argument: $option_type),*
                ) -> Option<Result<(), $crate::Failure>> {
                    // SAFETY: upheld by the caller.
                    let code = unsafe { (self.$option?)($($option_argument),*) };
                    Some(if code == 0 { Ok(()) } else { Err($crate::Failure { call: $option_symbol, code }) })
                }
            )*
        }
    };
}
