//! `tool_remove_dc`: takes a constant offset out of recordings.

use crate::clean::{Clean, Params};
use crate::processed_clips::{Changeover, clips_of};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::trimmed;
use deskhand_session::{ClipId, Finding, Measure, Source, SourceId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::audio::each_block;
use deskhand_toolkit::generated_audio::Order;
use deskhand_toolkit::{Category, PlanContext, ToolError, ToolSpec, Trust};
use serde_json::json;

/// Part of a made file's identity: change it when the samples would come out differently.
const ALGORITHM: u32 = 1;
/// An offset below this share of full scale (-80 dBFS) is left where it is, in %.
const LEAST: f64 = 0.01;

/// `tool_remove_dc`.
pub(crate) struct RemoveDc;

impl Clean for RemoveDc {
    const WHAT: &'static str = "the DC offset";
    // Reading twice and writing once.
    const SPEED: f64 = 300.0;
    type Params = Params;

    fn spec() -> ToolSpec {
        tool(
            "tool_remove_dc",
            "Remove DC offset",
            "Removes DC offset from the recordings of clips: measures the mean of each channel over the whole \
             recording and subtracts it. An offset costs headroom and clicks at cuts. Writes a new file of \
             equal length into the session and lets the clips play it; the old recording stays. Recordings \
             below 0.01 % stay unchanged.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"targets": "all"})],
        )
        .on_the_whole()
        .says([Intent::verbs("remove | lower | clean | cut | take+out | get+out | fix")
            .about("dc offset")
            .also("out")
            .or_everything()
            .on(Kinds::Sound)])
    }

    fn none() -> String {
        format!("no offset of {LEAST} % or more")
    }

    fn remove(
        plan: &mut Changeover<'_>,
        _: &Params,
        id: SourceId,
        source: &Source,
        clips: &[ClipId],
    ) -> Result<bool, ToolError> {
        let context = plan.context;
        let mut reader = context.audio.source(&context.session, id).map_err(ToolError::media)?;
        let offsets = means(context, reader.as_mut())?;
        let worst = percent(&offsets);
        plan.draft.findings.push(Finding::new(id, Measure::DcOffset, Some(worst)));
        if worst.abs() < LEAST {
            return Ok(false);
        }
        let name = format!("{}, no DC", source.name);
        let order = Order { step: "remove_dc", name: &name, of: source, channels: offsets.len() };
        let told = trimmed(worst, 2);
        let reason = format!("an offset of {told} % in {}", clips_of(source, clips));
        let ready = plan.make(order, &ALGORITHM, &reason, |write| {
            each_block(context, reader.as_mut(), |_, block| {
                let planes: Vec<Vec<f32>> = block.iter().zip(&offsets).map(shifted).collect();
                write(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>())
            })
        })?;
        let left = means(context, plan.open(&ready)?.as_mut())?;
        plan.found(&ready, Measure::DcOffset, Some(percent(&left)));
        for clip in clips {
            let why = format!("measured an offset of {told} %");
            plan.replace(*clip, &ready, ("offset removed", &why), |_| ())?;
        }
        Ok(true)
    }
}

fn shifted((plane, offset): (&&[f32], &f64)) -> Vec<f32> {
    plane.iter().map(|sample| (f64::from(*sample) - offset) as f32).collect()
}

/// The mean of each channel.
fn means(
    context: &PlanContext,
    reader: &mut dyn deskhand_dsp::FrameReader,
) -> Result<Vec<f64>, ToolError> {
    let mut sums = vec![0.0f64; reader.channels()];
    let frames = reader.frames().0.max(1) as f64;
    each_block(context, reader, |_, block| {
        for (sum, plane) in sums.iter_mut().zip(block) {
            *sum += plane.iter().map(|sample| f64::from(*sample)).sum::<f64>();
        }
        Ok(())
    })?;
    Ok(sums.into_iter().map(|sum| sum / frames).collect())
}

/// The offset that is farthest from 0, in % of full scale.
fn percent(offsets: &[f64]) -> f64 {
    let worst = offsets.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
    worst.unwrap_or(0.0) * 100.0
}

#[cfg(test)]
mod tests {
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, joined, noise, tone};
    use serde_json::json;

    fn offset(samples: Vec<f32>, by: f32) -> Vec<f32> {
        samples.into_iter().map(|sample| sample + by).collect()
    }

    #[test]
    fn an_offset_goes_and_the_rest_stays_to_the_sample() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Host"));
        let clean = joined(&[tone(440.0, -20.0, 2.0), noise(-50.0, 1.0)]);
        desk.clip(track, "take", 100, offset(clean.clone(), 0.1));
        let draft = desk.settle("tool_remove_dc", &json!({"targets": "all"}));
        assert_eq!(draft.summary, "Remove the DC offset of take");
        assert_eq!(draft.artifacts.len(), 1);
        let values: Vec<_> = draft.findings.iter().filter_map(|found| found.value).collect();
        assert_eq!(values, [10.0, 0.0]);
        let heard = desk.heard("take");
        let worst = heard[0].iter().zip(&clean).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 1e-4, "{worst}");
    }

    #[test]
    fn a_recording_without_an_offset_is_left_alone() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Host"));
        desk.clip(track, "take", 0, tone(440.0, -20.0, 1.0));
        let draft = desk.plan("tool_remove_dc", json!({"targets": "all"}));
        assert_eq!(draft.changes, []);
        assert_eq!(draft.summary, "Nothing to change: no offset of 0.01 % or more in \"take.wav\"");
    }
}
