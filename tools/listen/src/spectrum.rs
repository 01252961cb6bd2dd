//! `tool_analyze_spectrum`: the spectral profile of clips, with a picture.

mod picture;

use super::listen::{Piece, Turn, pieces};
use super::result_list::{Book, fact, number};
use super::scan::{CENTERS, Scan, bands, scan};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::trimmed;
use deskhand_session::{Fact, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_analyze_spectrum`.
pub(super) struct AnalyzeSpectrum;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// The profile of a clip.
pub(super) struct Profile {
    /// Level of each third octave, dBFS.
    pub(super) bands: Vec<Option<f64>>,
    /// Center of gravity of the spectrum, Hz.
    pub(super) centroid: f64,
    /// 85 % of the power lies under this, Hz.
    pub(super) rolloff: f64,
    /// Peak over RMS, dB.
    pub(super) crest: f64,
    /// Level change an octave from 100 Hz to 10 kHz, dB.
    pub(super) tilt: f64,
}

impl TypedTool for AnalyzeSpectrum {
    type Params = Params;
    type Resolved = Vec<Piece>;

    fn spec() -> ToolSpec {
        tool(
            "tool_analyze_spectrum",
            "Analyze the spectrum",
            "Measures the spectrum of clips: third-octave balance, brightness, tilt, stereo width and \
             correlation, crest factor, noise floor and hum, with a picture in the session folder. The answer \
             is a list of {id, name, thirds: [[hz, dbfs]], centroid_hz, rolloff_hz, tilt_db_per_octave, \
             crest_db, width_db, correlation, noise_floor_dbfs, hum: {hz, dbfs, harmonics} or null, picture}.",
            Category::Level,
            Trust::Notify,
            vec![json!({"targets": "all"})],
        )
        .says([Intent::verbs("find | ask | analyze").about("spectrum").or_everything().on(Kinds::Sound)])
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<Piece>, ToolError> {
        Ok(pieces(session, &params.targets.clips(session)?))
    }

    fn targets(pieces: &Vec<Piece>) -> Vec<ObjectId> {
        pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn run(pieces: Vec<Piece>, context: &PlanContext) -> Result<Draft, ToolError> {
        let (mut draft, mut book) = (Draft::default(), Book::new(context));
        let (mut rows, mut said) = (Vec::new(), Vec::new());
        for (index, piece) in pieces.iter().enumerate() {
            let scan = scan(context, piece, Turn { index, all: pieces.len() })?;
            let profile = profile(&scan);
            let picture = picture::draw(context, piece, &profile)?;
            book.whole(piece, facts(&scan, &profile, &picture.path));
            said.push(words(piece, &scan, &profile));
            rows.push(row(piece, &scan, &profile, &picture.path));
            draft.artifacts.push(picture);
        }
        book.write(&mut draft, "the spectrum was measured");
        draft.summary = said.join("; ");
        draft.answer = Some(Value::Array(rows));
        Ok(draft)
    }
}

/// The profile of a scan.
pub(super) fn profile(scan: &Scan) -> Profile {
    let (powers, bin_hz) = &scan.spectrum;
    let mut heard = powers.iter().enumerate().skip(1);
    let (mut moment, mut sum) = (0.0, 0.0);
    for (bin, power) in heard.clone() {
        moment += power * bin as f64 * bin_hz;
        sum += power;
    }
    let mut below = 0.0;
    let rolloff = heard.find(|(_, power)| {
        below += **power;
        below >= 0.85 * sum
    });
    let bands = bands(&scan.spectrum);
    Profile {
        tilt: tilt(&bands),
        bands,
        centroid: if sum > 1e-12 { moment / sum } else { 0.0 },
        rolloff: rolloff.map_or(0.0, |(bin, _)| bin as f64 * bin_hz),
        crest: scan.peak - scan.rms,
    }
}

/// The slope of a line through the levels of the third octaves from 100 Hz to 10 kHz.
fn tilt(bands: &[Option<f64>]) -> f64 {
    let points = CENTERS.iter().zip(bands).filter(|(hz, _)| (100.0..=10_000.0).contains(*hz));
    let points: Vec<(f64, f64)> =
        points.filter_map(|(hz, level)| Some((hz.log2(), (*level)?))).collect();
    let count = points.len().max(1) as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let over: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let under: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    if under > 0.0 { over / under } else { 0.0 }
}

fn facts(scan: &Scan, profile: &Profile, picture: &str) -> Vec<(&'static str, Fact)> {
    let thirds: Vec<Value> = CENTERS
        .iter()
        .zip(&profile.bands)
        .filter_map(|(hz, level)| Some(json!([hz, round((*level)?, 1)])))
        .collect();
    let mut facts = vec![
        ("level", number(scan.rms, 1, "dBFS")),
        ("third_octaves", Fact { unit: Some("dBFS".into()), ..fact(thirds) }),
        ("brightness", number(profile.centroid, 0, "Hz")),
        ("tilt", number(profile.tilt, 1, "dB/octave")),
        ("crest", number(profile.crest, 1, "dB")),
        ("picture", fact(picture)),
    ];
    facts.extend(scan.width.map(|width| ("width", number(width, 1, "dB"))));
    facts.extend(scan.correlation.map(|c| ("correlation", fact(round(c, 2)))));
    facts.extend(scan.floor.map(|floor| ("noise_floor", number(floor, 1, "dBFS"))));
    facts.extend(scan.hum.map(|hum| ("hum", number(hum.hz, 2, "Hz"))));
    facts
}

fn words(piece: &Piece, scan: &Scan, profile: &Profile) -> String {
    if scan.rms <= -119.0 {
        return format!("\"{}\" is silent", piece.name);
    }
    let hum =
        scan.hum.map_or_else(String::new, |hum| format!(", hum at {} Hz", trimmed(hum.hz, 1)));
    format!(
        "\"{}\" is centered at {} Hz, tilts {} dB an octave{hum}",
        piece.name,
        trimmed(profile.centroid, 0),
        trimmed(profile.tilt, 1)
    )
}

fn row(piece: &Piece, scan: &Scan, profile: &Profile, picture: &str) -> Value {
    let thirds: Vec<Value> = CENTERS
        .iter()
        .zip(&profile.bands)
        .filter_map(|(hz, level)| Some(json!([hz, round((*level)?, 1)])))
        .collect();
    json!({
        "id": piece.clip, "name": piece.name, "thirds": thirds,
        "centroid_hz": round(profile.centroid, 0), "rolloff_hz": round(profile.rolloff, 0),
        "tilt_db_per_octave": round(profile.tilt, 1), "crest_db": round(profile.crest, 1),
        "width_db": scan.width.map(|x| round(x, 1)), "correlation": scan.correlation.map(|x| round(x, 2)),
        "noise_floor_dbfs": scan.floor.map(|x| round(x, 1)), "hum": hum(scan), "picture": picture,
    })
}

/// Hum as an answer says it.
pub(super) fn hum(scan: &Scan) -> Value {
    scan.hum.map_or(Value::Null, |hum| {
        json!({"hz": round(hum.hz, 2), "dbfs": round(hum.level, 1), "harmonics": hum.harmonics})
    })
}

/// Rounds to this many decimals.
pub(super) fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale + 0.0
}
