//! The store from outside: what survives, what is refused, and in which words.

mod damage;
mod disk;
mod life;
mod owner;
mod work;
