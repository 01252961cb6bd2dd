//! What is left after kill -9 and on a full disk: everything that was acknowledged.

#[cfg(test)]
mod apply_loop;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod kills;
