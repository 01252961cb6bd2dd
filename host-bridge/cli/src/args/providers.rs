//! What can be typed about providers.

use clap::Subcommand;

/// What `deskhand providers` does.
#[derive(Debug, Subcommand)]
pub(crate) enum ProvidersCommand {
    /// Which there are, with their models, and which answers
    List,
    /// Have another answer from now on, or another model of it
    Use {
        /// Id of a provider, or `offline` for none
        id: String,
        /// The model that answers through it
        #[arg(long, short)]
        model: Option<String>,
    },
    /// Add a server of your own that speaks chat completions; it answers from now on
    Add {
        /// Its base URL: https://, or http:// on this machine
        address: String,
        /// The model that answers there
        model: String,
    },
    /// Keep a key for a provider; it is read from standard input, and kept in a file that you alone can read
    Key {
        /// Id of a provider
        id: String,
    },
    /// See whether a provider answers, and which models it has; this uses the network
    Test {
        /// Id of a provider
        id: String,
        /// Nothing is sent off this machine
        #[arg(long)]
        local_only: bool,
    },
}
