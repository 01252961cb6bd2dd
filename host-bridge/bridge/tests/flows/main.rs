//! The bridge from outside: every flow of a plan, driven by `pump`, over a real store in a temporary
//! folder and audio in memory.

#[cfg(test)]
mod artifacts;
#[cfg(test)]
mod asking;
#[cfg(test)]
mod authority;
#[cfg(test)]
mod builtin_calls;
#[cfg(test)]
mod captures;
#[cfg(test)]
mod codings;
#[cfg(test)]
mod conflicts;
#[cfg(test)]
mod covered;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod host_gains;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod hub;
#[cfg(test)]
mod instances;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod leaving;
#[cfg(test)]
mod linked;
#[cfg(test)]
mod media;
#[cfg(test)]
mod moves;
#[cfg(test)]
mod news;
#[cfg(test)]
mod notices;
#[cfg(test)]
mod originals;
#[cfg(test)]
mod orphans;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod parts;
#[cfg(test)]
mod played;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod promises;
#[cfg(test)]
mod reopen;
#[cfg(test)]
mod shown;
#[cfg(test)]
mod sound;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod storage;
#[cfg(test)]
mod stream;
#[cfg(test)]
mod talk;
#[cfg(test)]
mod tempo;
#[cfg(test)]
mod tools;
