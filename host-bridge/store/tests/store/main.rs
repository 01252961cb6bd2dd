//! The store from outside: what survives, what is refused, and the messages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod copy;
mod damage;
mod disk;
mod life;
mod look;
mod owner;
mod power;
mod work;
