//! The loudness meter against the standards, against the `ebur128` crate, and against itself.

#[cfg(test)]
mod algebra;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod signals;
#[cfg(test)]
mod tech_3341;
#[cfg(test)]
mod tech_3342;
#[cfg(test)]
mod true_peak;
