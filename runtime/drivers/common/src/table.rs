//! Tables of the functions of a library that is opened at run time.
//!
//! In: names and types of functions. Out: a type with a method for each. *Invariant:* a function of the table is there, unless the
//! table calls it optional, so a call never looks anything up; the library stays loaded for the rest of the process, since unloading a
//! driver that has threads is not safe.

/// Declares a table of functions.
///
/// `codes` return a number that is 0 where nothing went wrong, which becomes a `Result`. `values` return what they say. `optional` functions
/// return a number like the first; where the library has none of that name, the result is `None`.
#[macro_export]
macro_rules! function_table {
    (
        $(#[$attribute:meta])* $visibility:vis struct $table:ident;
        codes { $($name:ident = $symbol:literal ($($argument:ident: $type:ty),* $(,)?);)* }
        values { $($value:ident = $value_symbol:literal ($($value_argument:ident: $value_type:ty),*) -> $result:ty;)* }
        optional { $($option:ident = $option_symbol:literal ($($option_argument:ident: $option_type:ty),*);)* }
    ) => {
        $(#[$attribute])*
        $visibility struct $table {
            $($name: unsafe extern "C" fn($($type),*) -> u32,)*
            $($value: unsafe extern "C" fn($($value_type),*) -> $result,)*
            $($option: Option<unsafe extern "C" fn($($option_type),*) -> u32>,)*
            _library: ::std::mem::ManuallyDrop<$crate::libloading::Library>,
        }

        impl $table {
            /// Finds the functions in a library, or says which it lacks.
            fn resolve(library: $crate::libloading::Library) -> Result<Self, &'static str> {
                Ok($table {
                    $($name: {
                        // SAFETY: the function has this type in every library that has it.
                        let found = unsafe { library.get::<unsafe extern "C" fn($($type),*) -> u32>($symbol.as_bytes()) };
                        *found.map_err(|_| $symbol)?
                    },)*
                    $($value: {
                        // SAFETY: as above.
                        let found = unsafe {
                            library.get::<unsafe extern "C" fn($($value_type),*) -> $result>($value_symbol.as_bytes())
                        };
                        *found.map_err(|_| $value_symbol)?
                    },)*
                    $($option: {
                        // SAFETY: as above.
                        let found = unsafe {
                            library.get::<unsafe extern "C" fn($($option_type),*) -> u32>($option_symbol.as_bytes())
                        };
                        found.ok().map(|found| *found)
                    },)*
                    _library: ::std::mem::ManuallyDrop::new(library),
                })
            }

            $(
                #[doc = concat!("Calls `", $symbol, "`.")]
                ///
                /// # Safety
                /// As the function's documentation says.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "the library's functions have as many")]
                $visibility unsafe fn $name(&self, $($argument: $type),*) -> Result<(), $crate::Failure> {
                    // SAFETY: passed on to the caller.
                    let code = unsafe { (self.$name)($($argument),*) };
                    if code == 0 { Ok(()) } else { Err($crate::Failure { call: $symbol, code }) }
                }
            )*
            $(
                #[doc = concat!("Calls `", $value_symbol, "`.")]
                ///
                /// # Safety
                /// As the function's documentation says.
                $visibility unsafe fn $value(&self, $($value_argument: $value_type),*) -> $result {
                    // SAFETY: passed on to the caller.
                    unsafe { (self.$value)($($value_argument),*) }
                }
            )*
            $(
                #[doc = concat!("Calls `", $option_symbol, "`, where there is one.")]
                ///
                /// # Safety
                /// As the function's documentation says.
                $visibility unsafe fn $option(
                    &self, $($option_argument: $option_type),*
                ) -> Option<Result<(), $crate::Failure>> {
                    // SAFETY: passed on to the caller.
                    let code = unsafe { (self.$option?)($($option_argument),*) };
                    Some(if code == 0 { Ok(()) } else { Err($crate::Failure { call: $option_symbol, code }) })
                }
            )*
        }
    };
}
