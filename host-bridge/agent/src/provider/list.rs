//! Which models a provider has: both wire formats list them at `models`, as `{"data": [{"id": …}]}`.
//!
//! Thread: net.

use super::error::ProviderError;
use super::http::Endpoint;
use serde::Deserialize;
use url::Url;

/// The longest list that is read, bytes.
const LONGEST: usize = 1 << 20;
/// The most models that are told.
const MOST: usize = 200;

#[derive(Deserialize)]
struct List {
    data: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    id: String,
}

impl Endpoint {
    /// The names of the models, sorted; at most 200.
    pub(super) async fn models(&self) -> Result<Vec<String>, ProviderError> {
        let body = self.get(models_url(&self.url), LONGEST).await?;
        let list: List = serde_json::from_slice(&body).map_err(|error| {
            ProviderError::Unreadable { place: self.place.clone(), why: error.to_string() }
        })?;
        let is_name = |id: &String| !id.is_empty() && !id.chars().any(char::is_control);
        let mut names: Vec<String> =
            list.data.into_iter().map(|it| it.id).filter(is_name).collect();
        names.sort();
        names.dedup();
        names.truncate(MOST);
        Ok(names)
    }
}

/// Beside where turns are posted to.
fn models_url(turns: &Url) -> Url {
    let mut url = turns.clone();
    let chat = url.path().ends_with("/completions");
    // Only a URL that cannot have a path fails, and `read_address` lets none through.
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop();
        if chat {
            segments.pop();
        }
        segments.push("models");
    }
    url
}
