//! `tool_export_delivery`: the mix as a file to hand over, checked for loudness, with a report.

mod answer;
mod call;
mod encode;
mod error;
mod files;
mod flac;
mod id3;
mod mp3;
mod one_file;
mod opus;
mod passes;
mod predict;
mod report;
mod riff;
mod sound;
mod tags;
#[cfg(test)]
mod tests;

use crate::targets::Delivery;
use call::{Params, Resolved};
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use encode::Format;
use one_file::{Share, export, not_written};
pub(crate) use predict::PredictDelivery;
use report::Report;
use serde_json::json;
use sound::Sound;
use std::ops::Range;
use std::path::Path;

/// `tool_export_delivery`.
pub(crate) struct ExportDelivery;

/// An edit that was laid out: the mix plays it.
const EDIT: &str = "whole edit | of:whole edit";

/// How people ask for a file of the mix: by its name, by its format, or as it is usually written.
fn says() -> [Intent; 5] {
    let mix = |it: Intent| {
        let formats = ["wav", "flac", "mp3", "opus"].into_iter();
        let it = formats.fold(it, |it, ending| it.flag(ending, "path", format!("mix.{ending}")));
        let it = Delivery::said(it).named("mix", "- | of", Kinds::AllOfMix);
        it.also("recording | production | of:production | with:chapter | chapter")
    };
    let usual = |it: Intent| mix(it).sets("or_next_free", true);
    [
        mix(Intent::verbs("export | master | save").also(EDIT))
            .file("path", "wav | flac | opus | mp3"),
        usual(Intent::verbs("export | save | make").about(EDIT)).needs("path"),
        usual(Intent::verbs("bounce").about(EDIT)).sets("path", "mix.wav"),
        usual(Intent::verbs("export")).sets("path", "mix.wav"),
        usual(Intent::verbs("make | give | get | save | create | add")).needs("path"),
    ]
}

impl TypedTool for ExportDelivery {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_delivery",
            "Export for delivery",
            "Writes the mix, a part of it, or each track as WAV, FLAC, Opus or MP3 (through lame or ffmpeg, if \
             installed), with tags and chapters from markers, and a report next to it as a page (levels over \
             time, peaks, compliance) and as JSON. The written file is decoded and measured against the \
             target. Writes outside the session, so a model's call waits until the person lets it run. \
             Returns {path, report_html, report_json, integrated_lufs, true_peak_dbtp, complies}, or with \
             `each_track` {files, report_html, report_json, complies}.",
            Category::Library,
            Trust::Require,
            vec![
                json!({"path": "master.flac", "for": "streaming"}),
                json!({"path": "episode.mp3", "for": "podcast", "adjust": true, "limit_dbtp": -1, "tags": {"title": "One"}}),
                json!({"path": "song.wav", "each_track": true, "from_s": 10, "to_s": 40}),
            ],
        )
        .writes_files()
        .command("assemble export", "Export the mix of the edit")
        .path("FILE", "path", "The file")
        .endings(&["wav", "flac", "opus", "mp3"])
        .offers(Gesture::ExportMix)
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let bad = |message: &str, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        if session.clips.is_empty() {
            let fix = "import audio first: import_audio";
            return Err(ToolError::prepare(Code::NoTarget, "the session has no clips", fix));
        }
        if session.heard_end() <= Frames::ZERO {
            let fix = "unmute a track or a clip, or put phrases back: tool_restore_segments";
            let message = "nothing plays: every clip or its track is muted";
            return Err(ToolError::prepare(Code::NoTarget, message, fix));
        }
        let Some(format) = Format::of(Path::new(&params.path)) else {
            let message = format!("{:?} does not say what to write", params.path);
            return Err(bad(&message, "let `path` end in .wav, .flac, .opus or .mp3"));
        };
        if params.adjust && params.delivery.is_none() {
            return Err(bad("there is no target to adjust it to", "give `for`"));
        }
        if format == Format::Mp3 {
            mp3::program()?;
        }
        let end = session.heard_end();
        let range = range(&params, session)?;
        known_markers(&params, session)?;
        let sounds = sounds(&params, session, &range);
        Ok(Resolved { params, format, sounds, range, end })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let length = (call.range.end - call.range.start).seconds(session.rate).0;
        let seconds = length * call.sounds.len() as f64;
        Estimate {
            seconds: seconds / 20.0,
            bytes: (seconds * f64::from(session.rate.0) * 6.0) as u64,
        }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let paths = files::paths(&call, context)?;
        let path = deskhand_toolkit::files::place(context, &call.params.path);
        let first = paths.first().filter(|_| !call.params.each_track).unwrap_or(&path);
        let [html, json] = files::beside(context, first)?;
        let folder = path.parent().unwrap_or(&context.folder);
        deskhand_toolkit::files::sweep(folder, std::time::SystemTime::now());
        let room = tempfile::Builder::new().prefix(".deskhand-").tempdir_in(folder);
        let room = room.map_err(|error| not_written(error.into(), folder))?;
        let (mut parts, mut written) = (Vec::new(), Vec::new());
        for (n, (sound, path)) in call.sounds.iter().zip(&paths).enumerate() {
            let part = room.path().join(format!("part-{n}"));
            let part = part.with_extension(path.extension().unwrap_or_default());
            let share = Share::of(n, call.sounds.len());
            let report = export(&call, context, (sound, share), path, &part)?;
            parts.push((part, path.clone()));
            written.push((path.clone(), report));
        }
        let reports: Vec<Report> = written.iter().map(|(_, report)| report.clone()).collect();
        let page = report::page(&reports);
        let data = report::data(&reports, call.params.each_track);
        let texts = [(html.as_path(), page), (json.as_path(), data)];
        let handed = files::hand_over(room.path(), &parts, texts);
        handed.map_err(|error| not_written(error.into(), first))?;
        Ok(answer::told(&written, [&html, &json], &call, &context.session))
    }
}

/// The part of the timeline that is written.
fn range(params: &Params, session: &Session) -> Result<Range<Frames>, ToolError> {
    let end = session.heard_end();
    let frames = |seconds: f64| Seconds(seconds).frames(session.rate);
    let from = params.from_s.map_or(Frames::ZERO, frames);
    let to = params.to_s.map_or(end, frames).min(end);
    if from >= to {
        let length = deskhand_session::text::clock(end, session.rate);
        let message = format!("no audio is in this part of the timeline; it ends at {length}");
        let fix = "give a `from_s` before the end and a later `to_s`";
        return Err(ToolError::prepare(Code::BadParams, message, fix));
    }
    Ok(from..to)
}

fn known_markers(params: &Params, session: &Session) -> Result<(), ToolError> {
    let is_known = |wanted: &String| {
        let mut all = session.markers.iter();
        all.any(|(id, marker)| *wanted == id.to_string() || *wanted == marker.name)
    };
    match params.chapter_markers.iter().flatten().find(|wanted| !is_known(wanted)) {
        Some(wanted) => {
            let message = format!("no marker is called {wanted:?}");
            let fix = "name markers of the session in `chapter_markers`";
            Err(ToolError::prepare(Code::NoTarget, message, fix))
        }
        None => Ok(()),
    }
}

/// What each file is made of: the mix, or each heard track with clips.
fn sounds(params: &Params, session: &Session, range: &Range<Frames>) -> Vec<Sound> {
    if !params.each_track {
        return vec![Sound::new(session.id.into(), range.clone())];
    }
    let has_clips = |id| session.clips.values().any(|clip| clip.track == id);
    let tracks = session.tracks_in_order().map(|(id, _)| id);
    let heard = tracks.filter(|id| session.is_audible(*id) && has_clips(*id));
    heard.map(|id| Sound::new(id.into(), range.clone())).collect()
}
