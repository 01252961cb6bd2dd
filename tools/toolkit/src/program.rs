//! The program of a tool that a person added.

use std::fmt;

/// A program that a tool starts. A model's call of it waits until a person lets it run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The command: the absolute path and its arguments, for people.
    pub command: String,
    /// Whether it may use the network.
    pub network: Network,
}

/// Whether the network is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// It is not.
    Closed,
    /// It is.
    Open,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let network = match self.network {
            Network::Closed => "without the network",
            Network::Open => "with the network",
        };
        write!(f, "{}, {network}", self.command)
    }
}
