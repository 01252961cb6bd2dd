//! `tool_export_delivery`: the mix as a file to hand over, checked for loudness, with a report.

mod encode;
mod error;
mod flac;
mod id3;
mod mp3;
mod opus;
mod passes;
mod report;
mod riff;
mod tags;
#[cfg(test)]
mod tests;

use crate::match_loudness::of_file;
use crate::targets::Delivery;
use deskhand_dsp::loudness::Levels;
use deskhand_dsp::{Decibels, FrameReader, Frames, SampleRate};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::{names, trimmed};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::{next_free, place};
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use encode::{Format, Job};
use error::ExportError;
use passes::{Encoded, Goal};
use report::{Report, tenth};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tags::{Chapter, Tags, chapters};

/// `tool_export_delivery`.
pub(crate) struct ExportDelivery;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The file to write, .wav, .flac, .opus or .mp3; it must not exist. A relative path starts at the
    /// session's parent folder.
    #[schemars(length(min = 5, max = 4096))]
    path: String,
    /// If `path` exists, write to the next free name, such as mix-2.wav; omitted: refuse.
    #[serde(default)]
    or_next_free: bool,
    /// The delivery target that the report checks. Omitted: none, except a true peak of at most -1 dBTP for
    /// Opus and MP3, since codecs raise peaks.
    #[serde(rename = "for")]
    delivery: Option<Delivery>,
    /// Apply one gain to reach the target's loudness, as far as its true-peak limit allows.
    #[serde(default)]
    adjust: bool,
    /// Bits per sample of WAV and FLAC, 16 or 24; omitted: 24, or 16 for CD.
    bits: Option<Bits>,
    /// Bit rate of Opus and MP3 in kbit/s; omitted: 128 for Opus, 192 for MP3.
    #[schemars(range(min = 16, max = 320))]
    kbps: Option<u32>,
    /// Title, artist and so on.
    #[serde(default)]
    tags: Tags,
    /// Markers become chapters; omitted: yes.
    #[serde(default = "yes")]
    chapters: bool,
}

fn yes() -> bool {
    true
}

/// Bits of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
enum Bits {
    #[serde(rename = "16")]
    B16,
    #[serde(rename = "24")]
    B24,
}

/// The call against the session.
pub(crate) struct Resolved {
    params: Params,
    format: Format,
}

/// How people ask for a file of the mix: by its name, by its format, or as it is usually written.
/// An edit that was laid out: the mix plays it.
const EDIT: &str = "whole edit | of:whole edit";

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
            "Writes the mix as WAV, FLAC, Opus or MP3 (through lame or ffmpeg, if installed), with tags and \
             chapters from markers, and a report next to it as a page (levels over time, peaks, compliance) \
             and as JSON. The written file is decoded and measured against the target. Writes outside the \
             session, so a model's call waits until the person lets it run. Returns {path, report_html, \
             report_json, integrated_lufs, true_peak_dbtp, complies}.",
            Category::Library,
            Trust::Require,
            vec![
                json!({"path": "master.flac", "for": "streaming"}),
                json!({"path": "episode.mp3", "for": "podcast", "adjust": true, "tags": {"title": "One"}}),
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
            let fix = "unmute a track, or put phrases back: tool_restore_segments";
            let message = "nothing plays: every track with clips is muted";
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
        Ok(Resolved { params, format })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn estimate(_: &Resolved, session: &Session) -> Estimate {
        let seconds = session.heard_end().seconds(session.rate).0;
        Estimate {
            seconds: seconds / 20.0,
            bytes: (seconds * f64::from(session.rate.0) * 6.0) as u64,
        }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let path = place(context, &call.params.path);
        let path = if call.params.or_next_free { next_free(path) } else { path };
        let path = new_path(path)?;
        let [html, file] = beside(context, &path)?;
        let folder = path.parent().unwrap_or(&context.folder);
        deskhand_toolkit::files::sweep(folder, std::time::SystemTime::now());
        let room = tempfile::Builder::new().prefix(".deskhand-").tempdir_in(folder);
        let room = room.map_err(ExportError::Io)?;
        let part = room.path().join("part").with_extension(path.extension().unwrap_or_default());
        let report = export(&call, context, &path, &part)?;
        let data = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
        let reports = [(html.as_path(), report.html()), (file.as_path(), data)];
        hand_over(&part, &path, reports).map_err(ExportError::Io)?;
        let mut draft = told(&report, &path, [&html, &file], &call);
        tell_solo(&context.session, &mut draft);
        draft
            .warnings
            .extend(call.params.chapters.then(|| tags::left_out(&context.session)).flatten());
        Ok(draft)
    }
}

/// A file gets the requested name only when it is complete and has its reports.
fn hand_over(part: &Path, path: &Path, reports: [(&Path, String); 2]) -> std::io::Result<()> {
    let beside = |n: usize| part.with_file_name(format!("report-{n}"));
    for (n, (_, text)) in reports.iter().enumerate() {
        std::fs::write(beside(n), text)?;
    }
    std::fs::rename(part, path)?;
    for (n, (report, _)) in reports.iter().enumerate() {
        std::fs::rename(beside(n), report)?;
    }
    Ok(())
}

/// Where something new is written: nothing that exists is written over.
fn new_path(path: PathBuf) -> Result<PathBuf, ToolError> {
    if path.symlink_metadata().is_ok() {
        let message = format!("{} exists already", path.display());
        return Err(ToolError::run(Code::Write, message, "give another `path`"));
    }
    match path.parent().filter(|folder| !folder.is_dir()) {
        None => Ok(path),
        Some(folder) => {
            let message = format!("there is no folder {}", folder.display());
            Err(ToolError::run(Code::Write, message, "make it, or give another `path`"))
        }
    }
}

/// Where the report of `path` goes, as a page and as JSON: called like it without its ending or, where the same name was
/// delivered in another format before, with it.
fn beside(context: &PlanContext, path: &Path) -> Result<[PathBuf; 2], ToolError> {
    let named = |path: &Path| {
        let of = |ending: &str| {
            new_path(place(context, &format!("{}.report.{ending}", path.to_string_lossy())))
        };
        Ok([of("html")?, of("json")?])
    };
    named(&path.with_extension("")).or_else(|_: ToolError| named(path))
}

/// Writes the file that will be `path` as `part`, and measures it.
fn export(
    call: &Resolved,
    context: &PlanContext,
    path: &Path,
    part: &Path,
) -> Result<Report, ToolError> {
    let session = &context.session;
    let now = context.levels(session.id.into())?;
    let wanted = match call.params.delivery {
        Some(Delivery::Cd) => SampleRate(44_100),
        Some(Delivery::Streaming | Delivery::Podcast | Delivery::Broadcast) | None => session.rate,
    };
    let rate = call.format.rate(wanted);
    let goal = goal(call, &now);
    let tried = encode(call, context, &goal, (plain_gain(call, &now), rate), part)?;
    let best = goal.best(&tried).unwrap_or_default();
    let levels = tried.get(best).map(|kept| kept.levels).unwrap_or_default();
    let mut decoded = context.opener.open_at(part, rate).map_err(ToolError::media)?;
    let course = report::course(context, decoded.as_mut())?;
    // An encoder may have chosen another rate.
    let file = context.opener.open(part).map_err(ToolError::media)?;
    Ok(Report {
        notes: goal.notes(&tried, best, call.format.is_lossy()),
        course,
        ..summary(path, file.as_ref(), &levels, call, session)
    })
}

/// Encodes until no other gain is likely to be better; the best file stays at `part`.
fn encode(
    call: &Resolved,
    context: &PlanContext,
    goal: &Goal,
    (first, rate): (Decibels, SampleRate),
    part: &Path,
) -> Result<Vec<Encoded>, ToolError> {
    let again = part.with_file_name("again").with_extension(part.extension().unwrap_or_default());
    let (mut gain, mut tried) = (Some(first), Vec::new());
    while let Some(now) = gain {
        let mix = context.audio.render(&context.session, context.session.id.into());
        let mix = deskhand_media::resampled(mix.map_err(ToolError::media)?, rate);
        let mut mix = mix.map_err(ToolError::media)?;
        job(call, context, (now, tried.len())).write(mix.as_mut(), &again)?;
        tried.push(Encoded { gain: now, levels: of_file(&again, context)? });
        if goal.best(&tried) == Some(tried.len() - 1) {
            std::fs::rename(&again, part).map_err(ExportError::Io)?;
        }
        gain = goal.next(&tried);
    }
    Ok(tried)
}

fn job<'a>(
    call: &'a Resolved,
    context: &'a PlanContext,
    (gain, pass): (Decibels, usize),
) -> Job<'a> {
    let params = &call.params;
    let bits = match (params.bits, params.delivery) {
        (Some(Bits::B16), _) | (None, Some(Delivery::Cd)) => 16,
        (Some(Bits::B24) | None, _) => 24,
    };
    let usual = if call.format == Format::Opus { 128 } else { 192 };
    let kbps = params.kbps.unwrap_or(usual);
    let gain = gain.amplitude() as f32;
    // Each pass takes half of the remaining progress, since their number is unknown.
    let done = (1.0 - 0.5f64.powi(pass as i32 + 1), 1.0 - 0.5f64.powi(pass as i32 + 2));
    let chapters = chapters_of(call, &context.session);
    Job { context, format: call.format, bits, kbps, gain, done, tags: &params.tags, chapters }
}

/// What the file is to be like once it is decoded: the target where it is adjusted to that, else the mix. Where it is
/// adjusted, the ceiling comes first: a file that is a little quieter is in order, one whose peaks are over is not.
fn goal(call: &Resolved, now: &Levels) -> Goal {
    let delivery = call.params.delivery;
    let is_lossy = call.format.is_lossy();
    let target = delivery.filter(|_| call.params.adjust).map(Delivery::loudness);
    Goal {
        loudness: now.integrated.map(|level| target.unwrap_or(level.0)),
        of: if target.is_some() { "the target" } else { "the mix" },
        ceiling: delivery.map(Delivery::ceiling).or(is_lossy.then_some(report::LOSSY_CEILING)),
        may_lower: target.is_some(),
        peak: now.sample_peak.map_or(f64::MIN, |peak| peak.0),
    }
}

/// The one gain that brings the mix to its target, no further than its highest peak allows.
fn plain_gain(call: &Resolved, now: &Levels) -> Decibels {
    let Some(delivery) = call.params.delivery.filter(|_| call.params.adjust) else {
        return Decibels::UNITY;
    };
    let wanted = now.integrated.map_or(0.0, |level| delivery.loudness() - level.0);
    let room = now.true_peak.map_or(f64::MAX, |peak| delivery.ceiling() - peak.0);
    Decibels(wanted.min(room))
}

fn chapters_of(call: &Resolved, session: &Session) -> Vec<Chapter> {
    if call.params.chapters { chapters(session) } else { Vec::new() }
}

fn summary(
    path: &Path,
    file: &dyn FrameReader,
    levels: &Levels,
    call: &Resolved,
    session: &Session,
) -> Report {
    Report {
        format: "deskhand.delivery/1",
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        duration_s: (session.heard_end().seconds(session.rate).0 * 100.0).round() / 100.0,
        sample_rate: file.rate().0,
        channels: file.channels(),
        integrated_lufs: levels.integrated.map(|level| tenth(level.0)),
        range_lu: levels.range_lu.map(tenth),
        max_momentary_lufs: levels.max_momentary.map(|level| tenth(level.0)),
        max_short_term_lufs: levels.max_short_term.map(|level| tenth(level.0)),
        true_peak_dbtp: levels.true_peak.map(|level| tenth(level.0)),
        sample_peak_dbfs: levels.sample_peak.map(|level| tenth(level.0)),
        checks: report::checks(levels, call.params.delivery, call.format.is_lossy()),
        notes: Vec::new(),
        chapters: chapters_of(call, session),
        course: report::Course::default(),
    }
}

fn told(report: &Report, path: &Path, [html, json]: [&Path; 2], call: &Resolved) -> Draft {
    let failed: Vec<String> = report
        .checks
        .iter()
        .filter(|check| !check.complies)
        .map(|check| {
            let value =
                check.value.map_or("silence".into(), |value| format!("{value} {}", check.unit));
            format!("{} {value}, allowed {}", check.what, check.allowed)
        })
        .collect();
    let loudness =
        report.integrated_lufs.map_or("silence".into(), |level| format!("{level:.1} LUFS"));
    let way = way_out(report, call);
    let verdict = match (report.checks.is_empty(), failed.is_empty()) {
        (true, _) => String::new(),
        (false, true) => ", complies".into(),
        (false, false) => format!(", does not comply: {}{way}", failed.join("; ")),
    };
    let mut draft = Draft::new(format!("Wrote {}: {loudness}{verdict}", path.display()));
    draft.answer = Some(answer(report, path, html, json));
    if failed.is_empty() {
        draft.warnings.clone_from(&report.notes);
    }
    draft
}

/// What helps a file that does not comply.
fn way_out(report: &Report, call: &Resolved) -> String {
    let ceiling = call.params.delivery.map_or(report::LOSSY_CEILING, Delivery::ceiling);
    let over = report.true_peak_dbtp.map_or(0.0, |peak| peak - ceiling);
    if call.format.is_lossy() && over > report::SLACK {
        let down = trimmed((over * 10.0).ceil() / 10.0, 1);
        let lower = match call.params.adjust {
            true => String::new(),
            false => format!("lower the master by {down} dB, or "),
        };
        return format!("; a codec moves peaks: {lower}deliver wav or flac");
    }
    // What a gain alone does not bring to its target is held back by its peaks.
    let held = "; its peaks leave no more room: master it first (tool_master)";
    if call.params.adjust { held.into() } else { String::new() }
}

/// Warns that only soloed tracks are in the file: a person who listens to one easily forgets it.
fn tell_solo(session: &Session, draft: &mut Draft) {
    let soloed = session.tracks_in_order().filter(|(_, track)| track.solo);
    let soloed: Vec<String> = soloed.map(|(_, track)| track.name.clone()).collect();
    if soloed.is_empty() {
        return;
    }
    let (are, them) = if soloed.len() == 1 { ("is", "it") } else { ("are", "them") };
    draft.summary += &format!(
        "; only {} {are} in it, which {are} soloed: for the whole mix unsolo {them} and export \
         again",
        names(&soloed)
    );
    if let Some(answer) = &mut draft.answer {
        answer["soloed"] = json!(soloed);
    }
}

fn answer(report: &Report, path: &Path, html: &Path, json: &Path) -> Value {
    let mut answer = json!({
        "path": path.display().to_string(),
        "report_html": html.display().to_string(),
        "report_json": json.display().to_string(),
        "duration_s": report.duration_s,
        "integrated_lufs": report.integrated_lufs,
        "true_peak_dbtp": report.true_peak_dbtp,
        "complies": report.complies(),

        "chapters": report.chapters.len(),
    });
    if !report.notes.is_empty() {
        answer["notes"] = json!(report.notes);
    }
    answer
}
