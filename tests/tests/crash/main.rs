//! After kill -9 and on a full disk, everything acknowledged is there.

#[cfg(test)]
mod apply_loop;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod kills;
