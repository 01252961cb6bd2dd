//! Arguments of `deskhand providers`.

use clap::Subcommand;

/// Subcommands of `deskhand providers`.
#[derive(Debug, Subcommand)]
pub(crate) enum ProvidersCommand {
    /// List the providers with their models, and the provider that answers
    List,
    /// Choose the provider or the model that answers from now on
    Use {
        /// Id of a provider, or `offline` for no provider
        id: String,
        /// The provider's model to use
        #[arg(long, short)]
        model: Option<String>,
    },
    /// Add your own chat completions server and use it from now on
    Add {
        /// Its base URL: https://, or http:// on this machine
        address: String,
        /// The server's model to use
        model: String,
    },
    /// Store a provider's key from standard input, in a file that only you can read
    Key {
        /// Id of a provider
        id: String,
    },
    /// Test whether a provider answers, and list its models; uses the network
    Test {
        /// Id of a provider
        id: String,
        /// Send nothing off this machine
        #[arg(long)]
        local_only: bool,
    },
}
