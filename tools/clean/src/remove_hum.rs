//! `tool_remove_hum`: takes mains hum out of recordings, at the frequency that it has.

mod listen;
mod notch;

use crate::clean::{Clean, CleanParams};
use crate::processed_clips::{Changeover, clips_of};
use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{count, trimmed};
use deskhand_session::{ClipId, Finding, Measure, Source, SourceId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::audio::{each_block, stretch};
use deskhand_toolkit::generated_audio::Order;
use deskhand_toolkit::{Category, PlanContext, Targets, ToolError, ToolSpec, Trust};
use listen::{Decimator, Hum};
use notch::Notches;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Part of a made file's identity: change it when the samples would come out differently.
const ALGORITHM: u32 = 1;
/// Hum below this level stays, in dBFS.
const LEAST_DBFS: f64 = -80.0;

/// `tool_remove_hum`.
pub(crate) struct RemoveHum;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips whose recordings are cleaned.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Mains frequency in Hz, such as 50 or 60: only hum within 3 Hz is removed. Omitted: any from 47 to 63 Hz.
    #[schemars(range(min = 47.0, max = 63.0))]
    mains_hz: Option<f64>,
}

impl CleanParams for Params {
    fn targets(&self) -> &Targets {
        &self.targets
    }
}

impl Clean for RemoveHum {
    const WHAT: &'static str = "the hum";
    const SPEED: f64 = 60.0;
    type Params = Params;

    fn spec() -> ToolSpec {
        tool(
            "tool_remove_hum",
            "Remove hum",
            "Measures mains hum (47 to 63 Hz) to a hundredth of a hertz, with harmonics up to 900 Hz, and \
             removes it with notches 1 Hz wide. Only lines that are also in the quiet parts count as hum. \
             Writes a new file into the session and lets the clips play it; the old recording stays. The hum \
             is measured before and after. Recordings without hum above -80 dBFS stay unchanged.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"targets": "all"}), json!({"targets": "Bass", "mains_hz": 50})],
        )
        .on_the_whole()
        .says([
            Intent::verbs("remove | lower | clean | cut | take+out | get+out | fix | notch")
                .about("hum")
                .also("out")
                .slot(Slot::of("mains_hz"))
                .or_everything()
                .on(Kinds::Sound),
            Intent::verbs("dehum").or_everything().on(Kinds::Sound),
        ])
    }

    fn none() -> String {
        format!("no hum above {LEAST_DBFS} dBFS")
    }

    fn remove(
        plan: &mut Changeover<'_>,
        params: &Params,
        id: SourceId,
        source: &Source,
        clips: &[ClipId],
    ) -> Result<bool, ToolError> {
        let context = plan.context;
        let mut reader = context.audio.source(&context.session, id).map_err(ToolError::media)?;
        let hums = heard(context, reader.as_mut(), params.mains_hz)?;
        let Some(worst) = loudest(&hums) else {
            return Ok(false);
        };
        let (hz, level) = (worst.hz, worst.level());
        plan.draft.findings.push(Finding::new(id, Measure::HumFrequency, Some(hz)));
        plan.draft.findings.push(Finding::new(id, Measure::HumLevel, Some(level)));
        if level < LEAST_DBFS {
            return Ok(false);
        }
        let name = format!("{}, no hum", source.name);
        let order = Order { step: "remove_hum", name: &name, of: source, channels: hums.len() };
        let told = format!("{level:.1} dBFS of hum at {} Hz", trimmed(hz, 2));
        let reason = format!("{told} in {}", clips_of(source, clips));
        let rounded: Vec<_> = hums.iter().flatten().map(|hum| format!("{:.3}", hum.hz)).collect();
        let ready = plan.make(order, &(ALGORITHM, rounded), &reason, |write| {
            let mut notches = notches(context, reader.as_mut(), &hums)?;
            each_block(context, reader.as_mut(), |_, block| {
                let pairs = block.iter().zip(&mut notches);
                let planes: Vec<Vec<f32>> =
                    pairs.map(|(plane, notches)| notches.process(plane)).collect();
                write(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>())
            })
        })?;
        let left =
            loudest(&heard(context, plan.open(&ready)?.as_mut(), params.mains_hz)?).map(Hum::level);
        plan.found(&ready, Measure::HumLevel, left);
        let number = count(worst.lines.len(), "line");
        for clip in clips {
            let why = format!("{told}, {number}");
            plan.replace(*clip, &ready, ("hum removed", &why), |_| ())?;
        }
        Ok(true)
    }
}

fn loudest(hums: &[Option<Hum>]) -> Option<&Hum> {
    hums.iter().flatten().max_by(|a, b| a.level().total_cmp(&b.level()))
}

/// The hum of each channel.
fn heard(
    context: &PlanContext,
    reader: &mut dyn FrameReader,
    mains_hz: Option<f64>,
) -> Result<Vec<Option<Hum>>, ToolError> {
    let rate = reader.rate().0;
    let mut low: Vec<_> = (0..reader.channels()).map(|_| Decimator::new(rate)).collect();
    each_block(context, reader, |_, block| {
        low.iter_mut().zip(block).for_each(|(low, plane)| low.push(plane));
        Ok(())
    })?;
    Ok(low.into_iter().map(|low| listen::find(&low.finish(), rate, mains_hz)).collect())
}

/// Notches that know the hum at the start. A channel without hum has none.
fn notches(
    context: &PlanContext,
    reader: &mut dyn FrameReader,
    hums: &[Option<Hum>],
) -> Result<Vec<Notches>, ToolError> {
    context.check()?;
    let rate = reader.rate().0;
    let length = (2 * rate as usize).min(reader.frames().index());
    let start = stretch(reader, Frames::ZERO, length)?;
    let none = Hum { hz: 50.0, lines: Vec::new() };
    let each = start.iter().zip(hums).map(|(samples, hum)| {
        let hum = hum.as_ref().unwrap_or(&none);
        Notches::new(hum, rate, &listen::phases(samples, rate, hum))
    });
    Ok(each.collect())
}

#[cfg(test)]
mod tests {
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, joined, noise, tone};
    use serde_json::json;

    #[test]
    fn hum_goes_and_is_measured_before_and_after() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Guitar"));
        let hum = tone(50.03, -40.0, 10.0);
        let third = tone(150.09, -50.0, 10.0);
        let voice = joined(&[noise(-70.0, 4.0), tone(440.0, -20.0, 3.0), noise(-70.0, 3.0)]);
        let all = hum.iter().zip(&third).zip(&voice).map(|((a, b), c)| a + b + c).collect();
        desk.clip(track, "take", 0, all);
        let draft = desk.settle("tool_remove_hum", &json!({"targets": "all"}));
        assert_eq!(draft.summary, "Remove the hum of take");
        let values: Vec<_> = draft.findings.iter().map(|found| found.value).collect();
        assert!((values[0].unwrap() - 50.03).abs() < 0.02, "{values:?}");
        assert!((values[1].unwrap() + 42.6).abs() < 0.5, "{values:?}");
        assert!(values[2].is_none_or(|left| left < -80.0), "{values:?}");
        let heard = desk.heard("take").remove(0);
        let rms = |range| deskhand_dsp::level::rms(&heard[range]).unwrap().0;
        assert!(rms(0..150_000) < -68.0, "{}", rms(0..150_000));
        assert!((rms(200_000..330_000) + 23.0).abs() < 0.2);
    }

    #[test]
    fn hum_at_another_mains_frequency_stays() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Guitar"));
        let hum = tone(60.0, -40.0, 6.0);
        let all = hum.iter().zip(&noise(-70.0, 6.0)).map(|(a, b)| a + b).collect();
        desk.clip(track, "take", 0, all);
        let found = |hz: f64| {
            desk.plan("tool_remove_hum", json!({"targets": "all", "mains_hz": hz})).summary
        };
        assert_eq!(found(60.0), "Remove the hum of take");
        assert!(found(50.0).starts_with("Nothing to change"), "{}", found(50.0));
    }

    #[test]
    fn a_clean_recording_is_left_alone() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Guitar"));
        desk.clip(track, "take", 0, noise(-50.0, 6.0));
        let draft = desk.plan("tool_remove_hum", json!({"targets": "all"}));
        assert_eq!(draft.summary, "Nothing to change: no hum above -80 dBFS in \"take.wav\"");
    }
}
