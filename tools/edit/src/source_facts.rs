//! What tools of the library answer about a source.

use deskhand_dsp::SampleRate;
use deskhand_session::{Source, SourceId};
use serde_json::{Map, Value, json};

/// A source in a few numbers; `rate` is the session's, `sample_rate` the file's in Hz.
pub(crate) fn facts(
    id: SourceId,
    source: &Source,
    rate: SampleRate,
    clips: usize,
) -> Map<String, Value> {
    let milliseconds = (source.frames.seconds(rate).0 * 1000.0).round();
    let fields = [
        ("source_id", json!(id)),
        ("name", json!(source.name)),
        ("duration_s", json!(milliseconds / 1000.0)),
        ("sample_rate", json!(source.rate.0)),
        ("channels", json!(source.channels)),
        ("clip_count", json!(clips)),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
