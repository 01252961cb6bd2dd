//! Run-time choice of instruction set: one generic kernel, compiled once for AVX2 with FMA and once
//! for the target's baseline.
//!
//! A kernel is an `#[inline(always)]` function over fixed-size arrays, generic over [`Arithmetic`].
//! [`dispatch!`] makes the public function that compiles it under both feature sets and picks one
//! at run time, so the only `unsafe` in this crate is the call behind the feature check.
//! Kernels that never call `mul_add` give the same bits on every path; the others say how far
//! apart the paths may be.

/// How a kernel multiplies and adds: fused where the hardware does it, apart where it does not
/// (a fused operation without hardware is a library call).
pub(crate) trait Arithmetic {
    /// `a * b + c` in double precision.
    fn mul_add(a: f64, b: f64, c: f64) -> f64;
    /// `a * b + c` in single precision.
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32;
}

/// One rounding.
pub(crate) struct Fused;

/// Two roundings.
pub(crate) struct Apart;

/// What the target offers without asking.
#[cfg(any(target_arch = "aarch64", target_feature = "fma"))]
pub(crate) type Baseline = Fused;
/// What the target offers without asking.
#[cfg(not(any(target_arch = "aarch64", target_feature = "fma")))]
pub(crate) type Baseline = Apart;

impl Arithmetic for Fused {
    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

impl Arithmetic for Apart {
    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
    #[inline(always)]
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }
}

/// Whether the wide path runs; the answer is cached by the standard library.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx2_fma() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// The instruction set in use, for reports and bug tickets.
#[must_use]
pub fn instruction_set() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if has_avx2_fma() {
        return "x86-64 AVX2+FMA";
    }
    "portable"
}

/// Makes a function that runs `$kernel::<A>` on the best path of this machine.
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $kernel:ident) => {
        $(#[$meta])*
        #[inline]
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            if $crate::simd::has_avx2_fma() {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($arg: $ty),*) $(-> $ret)? {
                    $kernel::<$crate::simd::Fused>($($arg),*)
                }
                #[expect(unsafe_code, reason = "calls a function compiled for checked features")]
                // SAFETY: `has_avx2_fma` has just confirmed the features of `wide`.
                return unsafe { wide($($arg),*) };
            }
            $kernel::<$crate::simd::Baseline>($($arg),*)
        }
    };
}
pub(crate) use dispatch;
