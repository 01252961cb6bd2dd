//! In place of `http` in a build without the feature `network`: each turn is refused.
//!
//! Thread: net.

use super::error::{Place, ProviderError};
use super::openai::LimitField;
use super::secret::Secret;
use super::turn::{Limits, Listener, Reply, TurnRequest};
use std::convert::Infallible;
use url::Url;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    Anthropic,
    OpenAi(LimitField),
}

/// A model at an address.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) wire: Wire,
    pub(super) url: Url,
    pub(super) model: String,
    pub(super) key: Option<Secret>,
    pub(super) source_of_key: String,
    pub(super) place: Place,
    pub(super) client: Client,
    pub(super) limits: Limits,
}

#[derive(Debug)]
pub(super) struct Client;

impl Endpoint {
    pub(super) async fn turn(
        &self,
        _: &TurnRequest<'_>,
        _: Listener<'_>,
    ) -> Result<Reply, ProviderError> {
        Err(self.refusal())
    }

    pub(super) async fn get(&self, _: Url, _: usize) -> Result<Vec<u8>, ProviderError> {
        Err(self.refusal())
    }

    fn refusal(&self) -> ProviderError {
        let why = "this program was built without the feature `network`".into();
        ProviderError::Unreachable { place: self.place.clone(), why }
    }
}

pub(super) fn client(_: &Url, _: &Limits) -> Result<Client, Infallible> {
    Ok(Client)
}

pub(super) fn reason(error: Infallible) -> String {
    match error {}
}
