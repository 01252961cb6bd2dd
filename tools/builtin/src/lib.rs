//! The built-in tools: one file each, and one command per change.
//!
//! Thread: `prepare` on the message thread, `run` on a worker. Every tool is a function from a snapshot
//! of the session and parameters to a draft of a plan; planning again after applying gives an empty one.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod about;
mod align_clips;
mod analysis;
mod assembly;
mod auto_mix;
mod bands;
mod check_polarity;
mod clean;
mod codes;
mod commands;
mod correlation;
mod cross_talk;
mod denoise;
mod duck;
mod eq_balance;
mod export_delivery;
mod fades;
mod feeding;
mod find;
mod gain;
mod gain_staging;
mod import;
mod level_speech;
mod made;
mod master;
mod match_loudness;
mod measure;
mod mix_peak;
mod names;
mod normalize;
#[cfg(test)]
mod read_aloud;
#[cfg(test)]
mod real_speech;
mod reduce_bleed;
mod remove_dc;
mod remove_hum;
mod rename_tracks;
mod reset_mix;
mod roles;
mod select_source;
mod sketch;
mod source_facts;
mod speech;
mod strip_silence;
mod sync;
mod targets;
#[cfg(test)]
mod testing;
mod tighten;
mod words;

pub use codes::merge_codings;
pub use import::source_of_file;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every built-in tool and command.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    built_in(None)
}

/// The same, but `tool_analyze_all` also runs `words` on speech, in order: tools that transcribe and
/// describe it.
#[must_use]
pub fn all_with_words(words: Vec<Arc<dyn Tool>>) -> Vec<Arc<dyn Tool>> {
    built_in(Some(words))
}

fn built_in(words: Option<Vec<Arc<dyn Tool>>>) -> Vec<Arc<dyn Tool>> {
    let tools = [
        measure::MeasureLevels::tool(),
        normalize::Normalize::tool(),
        import::ImportAudio::tool(),
        select_source::SelectSource::tool(),
        rename_tracks::RenameTracks::tool(),
        fades::AddFades::tool(),
        strip_silence::StripSilence::tool(),
        gain_staging::GainStage::tool(),
        clean::Cleaner::<remove_dc::RemoveDc>::tool(),
        denoise::Denoise::tool(),
        clean::Cleaner::<remove_hum::RemoveHum>::tool(),
        align_clips::AlignClips::tool(),
        level_speech::LevelSpeech::tool(),
        reduce_bleed::ReduceBleed::tool(),
        duck::Duck::tool(),
        match_loudness::MatchLoudness::tool(),
        master::Master::tool(),
        export_delivery::ExportDelivery::tool(),
        eq_balance::EqBalance::tool(),
        auto_mix::AutoMix::tool(),
        reset_mix::ResetMix::tool(),
        check_polarity::CheckPolarity::tool(),
    ];
    tools
        .into_iter()
        .chain(analysis::all(words))
        .chain(commands::all())
        .chain(codes::all())
        .chain(assembly::all())
        .chain(tighten::all())
        .collect()
}

#[cfg(test)]
mod tests {
    use deskhand_toolkit::ToolSpec;
    use serde_json::Value;

    /// Name, trust and category, description, and parameters with the required ones marked.
    fn card(spec: &ToolSpec) -> String {
        let schema = &spec.input_schema;
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let mark = |name: &String| {
            if required.contains(&Value::from(name.as_str())) { "!" } else { "" }
        };
        let names: Vec<_> = properties.keys().map(|name| format!("{name}{}", mark(name))).collect();
        let kind = format!("{:?} {:?}", spec.trust, spec.category).to_lowercase();
        let ToolSpec { name, title, description, .. } = spec;
        format!("{name} ({kind}) {title}\n  {description}\n  {}\n", names.join(", "))
    }

    #[test]
    fn the_tools_as_a_model_sees_them() {
        let mut tools = crate::all();
        tools.sort_by_key(|tool| tool.spec().name);
        let cards: Vec<_> = tools.iter().map(|tool| card(tool.spec())).collect();
        insta::assert_snapshot!(cards.join("\n"));
    }
}
