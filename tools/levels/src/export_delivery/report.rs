//! The report next to a delivered file: levels over time, peaks, and compliance.

use super::sound::Measured;
use super::tags::Chapter;
use crate::targets::Delivery;
use deskhand_dsp::loudness::{Levels, LoudnessMeter};
use deskhand_dsp::{FrameReader, Frames};
use deskhand_toolkit::{PlanContext, ToolError};
use serde::Serialize;
use std::fmt::Write;

/// Most points of a drawn line.
const POINTS: usize = 1200;
/// Size of the drawing.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 260.0;
/// The possible steps between times on its axis, and the most times.
const STEPS_S: [f64; 13] =
    [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0];
const MOST_TIMES: f64 = 12.0;
/// What the drawing reaches down to, in dB.
const BOTTOM: f64 = -60.0;

/// A value over a limit by less than this reads as the limit, in dB and LU: levels are printed, and judged,
/// to a tenth.
pub(super) const SLACK: f64 = 0.05;
/// Two tenths that are printed alike are alike.
const ROUNDING: f64 = 1e-9;
/// The highest true peak of what a lossy codec leaves where no target says, dBTP: what streaming services take.
pub(super) const LOSSY_CEILING: f64 = -1.0;

/// Levels every 100 ms.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Course {
    pub(super) step_s: f64,
    /// LUFS; nothing before the first 400 ms and in silence.
    pub(super) momentary: Vec<Option<f64>>,
    /// LUFS; nothing before the first 3 s and in silence.
    pub(super) short_term: Vec<Option<f64>>,
    /// dBFS of the largest sample.
    pub(super) peak: Vec<Option<f64>>,
}

/// One thing that a target asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Check {
    pub(super) what: &'static str,
    pub(super) value: Option<f64>,
    pub(super) unit: &'static str,
    pub(super) allowed: String,
    pub(super) complies: bool,
}

/// All facts about a delivered file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Report {
    pub(super) format: &'static str,
    pub(super) file: String,
    pub(super) duration_s: f64,
    pub(super) sample_rate: u32,
    pub(super) channels: usize,
    pub(super) integrated_lufs: Option<f64>,
    pub(super) range_lu: Option<f64>,
    pub(super) max_momentary_lufs: Option<f64>,
    pub(super) max_short_term_lufs: Option<f64>,
    pub(super) true_peak_dbtp: Option<f64>,
    pub(super) sample_peak_dbfs: Option<f64>,
    pub(super) rms_dbfs: Option<f64>,
    pub(super) noise_floor_dbfs: Option<f64>,
    pub(super) checks: Vec<Check>,
    /// How the encoder changed the level, and what is missing.
    pub(super) notes: Vec<String>,
    pub(super) chapters: Vec<Chapter>,
    pub(super) course: Course,
}

/// The levels of `reader` over time.
pub(super) fn course(
    context: &PlanContext,
    reader: &mut dyn FrameReader,
) -> Result<Course, ToolError> {
    let meter = LoudnessMeter::new(reader.rate(), reader.channels());
    let mut meter = meter.map_err(ToolError::media)?;
    let step = (reader.rate().0 / 10) as usize;
    let mut course = Course { step_s: 0.1, ..Course::default() };
    let (mut at, frames) = (Frames::ZERO, reader.frames());
    while at < frames {
        context.check()?;
        let count = step.min((frames - at).index());
        let planes = deskhand_toolkit::audio::stretch(reader, at, count)?;
        let planes: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
        meter.process(&planes);
        let peak =
            planes.iter().map(|plane| deskhand_dsp::level::sample_peak(plane)).fold(0.0, f32::max);
        let db = deskhand_dsp::Decibels::from_amplitude(f64::from(peak));
        course.momentary.push(meter.momentary().map(|level| tenth(level.0)));
        course.short_term.push(meter.short_term().map(|level| tenth(level.0)));
        course.peak.push(db.map(|db| tenth(db.0)));
        at += Frames::from_index(count);
    }
    Ok(course)
}

/// A level in its printed form.
pub(super) fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

/// The checks of a target. Without one, a file with a lossy codec must stay under its ceiling.
pub(super) fn checks(
    measured: &Measured,
    delivery: Option<Delivery>,
    is_lossy: bool,
) -> Vec<Check> {
    let levels = &measured.levels;
    let Some(delivery) = delivery else {
        return is_lossy.then(|| peak_under(levels, LOSSY_CEILING)).into_iter().collect();
    };
    let mut checks = vec![level(levels, delivery)];
    let Some(most) = delivery.noise_floor() else {
        checks.push(peak_under(levels, delivery.ceiling()));
        return checks;
    };
    let peak = levels.sample_peak.map(|peak| peak.0);
    checks.push(at_most("sample peak", peak, "dBFS", delivery.ceiling()));
    checks.push(at_most("noise floor", measured.floor, "dBFS", most));
    checks
}

fn level(levels: &Levels, delivery: Delivery) -> Check {
    let (target, off) = (delivery.level(), delivery.tolerance());
    let value = delivery.measured(levels).map(tenth);
    let (what, unit, allowed) = match delivery.is_rms() {
        true => ("RMS", "dBFS", format!("{} to {}", target - off, target + off)),
        false => ("integrated loudness", "LUFS", format!("{target} ± {off}")),
    };
    let complies = value.is_some_and(|level| (level - target).abs() <= off + ROUNDING);
    Check { what, value, unit, allowed, complies }
}

fn peak_under(levels: &Levels, ceiling: f64) -> Check {
    at_most("true peak", levels.true_peak.map(|peak| peak.0), "dBTP", ceiling)
}

fn at_most(what: &'static str, value: Option<f64>, unit: &'static str, most: f64) -> Check {
    let value = value.map(tenth);
    let complies = value.is_none_or(|value| value <= most + ROUNDING);
    Check { what, value, unit, allowed: format!("at most {most}"), complies }
}

/// The reports as JSON: of one file, or of a file for each track.
pub(super) fn data(reports: &[Report], is_list: bool) -> String {
    let data = match reports {
        [one] if !is_list => serde_json::to_string_pretty(one),
        all => serde_json::to_string_pretty(
            &serde_json::json!({"format": "deskhand.deliveries/1", "files": all}),
        ),
    };
    data.unwrap_or_default() + "\n"
}

/// The reports as a page that needs nothing else.
pub(super) fn page(reports: &[Report]) -> String {
    let mut page = String::from(HEAD);
    let names: Vec<String> = reports.iter().map(|report| escaped(&report.file)).collect();
    // Writing to a String cannot fail.
    let _ = write!(page, "<title>{}</title></head><body>", names.join(", "));
    reports.iter().for_each(|report| page += &report.section());
    page + "</body></html>\n"
}

impl Report {
    /// Whether all that is asked for holds.
    pub(super) fn complies(&self) -> bool {
        self.checks.iter().all(|check| check.complies)
    }

    fn section(&self) -> String {
        let name = escaped(&self.file);
        let mut page = format!(
            "<h1>{name}</h1><p>{} · {} Hz · {} channels</p>",
            clock(self.duration_s),
            self.sample_rate,
            self.channels
        );
        page += &self.table();
        for note in &self.notes {
            let _ = write!(page, "<p>Note: {}.</p>", escaped(note));
        }
        page += &self.drawing();
        page += KEY;
        if !self.chapters.is_empty() {
            page += "<h2>Chapters</h2><table>";
            for chapter in &self.chapters {
                let _ = write!(
                    page,
                    "<tr><td>{}</td><td>{}</td></tr>",
                    clock(chapter.start_s),
                    escaped(&chapter.name)
                );
            }
            page += "</table>";
        }
        page
    }

    fn table(&self) -> String {
        let rows = [
            ("integrated loudness", self.integrated_lufs, "LUFS"),
            ("loudness range", self.range_lu, "LU"),
            ("max momentary", self.max_momentary_lufs, "LUFS"),
            ("max short-term", self.max_short_term_lufs, "LUFS"),
            ("true peak", self.true_peak_dbtp, "dBTP"),
            ("sample peak", self.sample_peak_dbfs, "dBFS"),
            ("RMS", self.rms_dbfs, "dBFS"),
            ("noise floor", self.noise_floor_dbfs, "dBFS"),
        ];
        let mut table = String::from("<table>");
        for (what, value, unit) in rows {
            let value = value.map_or("silence".into(), |value| format!("{value:.1} {unit}"));
            let check = self.checks.iter().find(|check| check.what == what);
            let verdict = check.map_or(String::new(), |check| {
                let (class, word) =
                    if check.complies { ("ok", "complies") } else { ("no", "does not comply") };
                format!("<span class=\"{class}\">{word}</span>: {} {}", check.allowed, check.unit)
            });
            let _ = write!(table, "<tr><td>{what}</td><td>{value}</td><td>{verdict}</td></tr>");
        }
        table + "</table>"
    }

    fn drawing(&self) -> String {
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"levels over time\">"
        );
        for level in [0.0, -10.0, -20.0, -30.0, -40.0, -50.0] {
            let y = y(level);
            let _ = write!(
                svg,
                "<line x1=\"0\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\" class=\"grid\"/><text x=\"2\" y=\"{:.1}\">{level}</text>",
                y - 2.0
            );
        }
        let lines = [
            ("p", &self.course.peak),
            ("m", &self.course.momentary),
            ("s", &self.course.short_term),
        ];
        svg += &self.times();
        for (class, values) in lines {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{}\"/>", path(values));
        }
        svg + "</svg>"
    }

    /// Where which time is, and where chapters begin.
    fn times(&self) -> String {
        let length = self.duration_s.max(1e-3);
        let step = STEPS_S.into_iter().find(|step| length / step <= MOST_TIMES);
        let step = step.unwrap_or(length / MOST_TIMES);
        let line = |seconds: f64, class: &str, inside: &str| {
            let x = WIDTH * seconds / length;
            format!(
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{HEIGHT}\" class=\"{class}\">{inside}</line>"
            )
        };
        let mut svg = String::new();
        for seconds in (1..).map(|n| f64::from(n) * step).take_while(|at| *at < length) {
            let (x, y) = (WIDTH * seconds / length + 2.0, HEIGHT - 3.0);
            svg += &line(seconds, "grid", "");
            let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y}\">{}</text>", clock(seconds));
        }
        for chapter in &self.chapters {
            let name = format!("<title>{}</title>", escaped(&chapter.name));
            svg += &line(chapter.start_s, "chapter", &name);
        }
        svg
    }
}

/// A line through levels; the loudest of those that share a point.
fn path(values: &[Option<f64>]) -> String {
    let size = values.len().div_ceil(POINTS).max(1);
    let count = values.len().div_ceil(size).max(2);
    let mut path = String::new();
    for (index, part) in values.chunks(size).enumerate() {
        let level = part.iter().flatten().copied().fold(BOTTOM, f64::max);
        let x = WIDTH * index as f64 / (count - 1) as f64;
        let _ = write!(path, "{}{x:.1} {:.1} ", if index == 0 { 'M' } else { 'L' }, y(level));
    }
    path
}

fn y(level: f64) -> f64 {
    HEIGHT * (level.clamp(BOTTOM, 3.0) - 3.0) / (BOTTOM - 3.0)
}

fn clock(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const KEY: &str = "<p class=\"key\"><b class=\"m\">momentary</b> (400 ms, LUFS) · \
<b class=\"s\">short-term</b> (3 s, LUFS) · <b class=\"p\">sample peak</b> (dBFS), over time; \
dashed where chapters begin</p>";

const HEAD: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><style>\
body{font:15px/1.5 sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#222;background:#fff}\
table{border-collapse:collapse}td{padding:.15em 1em .15em 0}svg{width:100%;background:#f6f6f6;margin-top:1em}\
path{fill:none;stroke-width:1.2}path.m{stroke:#4a90c2}path.s{stroke:#1f4e79;stroke-width:2}path.p{stroke:#d0a030;stroke-width:.8}\
b.m{color:#4a90c2}b.s{color:#1f4e79}b.p{color:#d0a030}.grid{stroke:#ddd}.chapter{stroke:#888;stroke-dasharray:4 3}text{font-size:10px;fill:#666}\
.ok{color:#1a7f37}.no{color:#b42318;font-weight:bold}</style>";
