//! The work on one region of a source: readers in, files out, block by block.

use crate::demucs::Waves;
use crate::hybrid::Spectra;
use crate::median::{Medians, Parts};
use crate::mid_side::Side;
use crate::own_models::{MdxNet, OpenUnmix};
use crate::read_ahead::Ahead;
use crate::recipe::{Engine, Recipe, Stem, split};
use crate::region::Region;
use crate::rough::WithRough;
use crate::segments::Segments;
use crate::spleeter::Spleeter;
use crate::stream::Stream;
use deskhand_dsp::{FrameReader, Frames, SampleRate};
use deskhand_inference::{Layout, Library, Record, lower_priority};
use deskhand_media::{WavWriter, resampled};
use deskhand_session::{Source, SourceId};
use deskhand_toolkit::generated_audio::{Made, Order, make_together, unwritten};
use deskhand_toolkit::{Code, PlanContext, ToolError};

/// Goes up with every change of the result for the same audio and the same model.
const VERSION: u32 = 1;
/// Frames that are read and written at once.
const BLOCK: usize = 1 << 15;

/// A region of a source that clips show, whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) source: SourceId,
    pub(crate) start: Frames,
    pub(crate) length: Frames,
}

/// The stretch to split, and how.
pub(crate) struct Work<'a> {
    pub(crate) context: &'a PlanContext,
    pub(crate) recipe: &'a Recipe,
    pub(crate) library: Option<&'a Library>,
    pub(crate) stretch: Stretch,
    /// Shares of all work that are done before and that this is.
    pub(crate) done: f64,
    pub(crate) share: f64,
}

impl Work<'_> {
    /// The files of all stems, in their order; those of an earlier call if they still exist.
    pub(crate) fn make(&self, source: &Source) -> Result<Vec<Made>, ToolError> {
        let recipe = self.recipe;
        let names: Vec<String> =
            recipe.stems.iter().map(|stem| format!("{} {}", source.name, stem.name)).collect();
        let steps: Vec<String> =
            recipe.stems.iter().map(|stem| stem.name.replace(' ', "_")).collect();
        let each = names.iter().zip(&steps);
        let orders: Vec<Order<'_>> =
            each.map(|(name, step)| Order { step, name, of: source, channels: 2 }).collect();
        make_together(self.context, &orders, &self.key(), |writers| self.run(writers))
    }

    /// All that decides the result, apart from the source.
    fn key(&self) -> (u32, Frames, Frames, String, &[Stem]) {
        let hash = match &self.recipe.engine {
            Engine::Model(record) => record.sha256.clone(),
            Engine::ModelAndRough(record) => format!("{} rough", record.sha256),
            Engine::Medians => "medians".into(),
            Engine::Side => "side".into(),
        };
        (VERSION, self.stretch.start, self.stretch.length, hash, &self.recipe.stems)
    }

    /// On a thread of its own, whose priority is low: audio and windows come first.
    fn run(&self, writers: &mut [WavWriter]) -> Result<(), ToolError> {
        let work = || {
            lower_priority();
            self.write(writers)
        };
        let ended = std::thread::scope(|scope| scope.spawn(work).join());
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn write(&self, writers: &mut [WavWriter]) -> Result<(), ToolError> {
        let (mut mix, mut parts) = (self.mix()?, self.parts()?);
        let mut at = Frames::ZERO;
        while at < self.stretch.length {
            let share = at.0 as f64 / self.stretch.length.0 as f64;
            let name = self.context.session.name_of(self.stretch.source.into());
            self.context.progress.report(self.done + self.share * share, &name);
            self.context.check()?;
            let count = BLOCK.min((self.stretch.length - at).index());
            let mixed = block(mix.as_mut(), at, count)?;
            let made = block(parts.as_mut(), at, count)?;
            let stems = self.stems(&mixed, &made);
            for (writer, stem) in writers.iter_mut().zip(&stems) {
                let planes: Vec<&[f32]> = stem.iter().map(Vec::as_slice).collect();
                writer.write(&planes).map_err(unwritten)?;
            }
            at += Frames::from_index(count);
        }
        Ok(())
    }

    /// The stems of a block: sums of parts, and the mix without all the others.
    fn stems(&self, mix: &[Vec<f32>], parts: &[Vec<f32>]) -> Vec<Vec<Vec<f32>>> {
        let sum = |stem: &Stem| {
            let mut planes = vec![vec![0.0; mix.first().map_or(0, Vec::len)]; 2];
            for part in stem.parts.iter().flatten() {
                for (channel, plane) in planes.iter_mut().enumerate() {
                    add(plane, parts.get(2 * part + channel), 1.0);
                }
            }
            planes
        };
        let mut stems: Vec<Vec<Vec<f32>>> = self.recipe.stems.iter().map(sum).collect();
        let mut rest = mix.to_vec();
        for stem in &stems {
            for (plane, stem) in rest.iter_mut().zip(stem) {
                add(plane, Some(stem), -1.0);
            }
        }
        if let Some(residual) = stems.get_mut(self.recipe.residual()) {
            *residual = rest;
        }
        stems
    }

    /// The unprocessed region, in stereo at the session rate.
    fn mix(&self) -> Result<Box<dyn FrameReader>, ToolError> {
        let Stretch { source, start, length } = self.stretch;
        let reader = self.context.audio.source(&self.context.session, source);
        Ok(Region::boxed(reader.map_err(ToolError::media)?, start, length))
    }

    /// The parts of the recipe, two channels each, at the session rate.
    fn parts(&self) -> Result<Box<dyn FrameReader>, ToolError> {
        match &self.recipe.engine {
            Engine::Medians => Ok(Stream::boxed(Medians::new(self.mix()?, Parts::Percussive))),
            Engine::Side => Ok(Stream::boxed(Side::new(self.mix()?))),
            Engine::Model(record) => self.modelled(record),
            Engine::ModelAndRough(record) => {
                Ok(Stream::boxed(WithRough::new(self.mix()?, self.modelled(record)?)))
            }
        }
    }

    fn modelled(&self, record: &Record) -> Result<Box<dyn FrameReader>, ToolError> {
        let library = self.library.ok_or_else(|| split(Code::Refused, "there is no model"))?;
        let network =
            library.load(&record.id).map_err(|error| split(Code::Refused, &error.to_string()))?;
        let rate = SampleRate(record.layout.rate());
        let mix = resampled(self.mix()?, rate).map_err(ToolError::media)?;
        let wanted = self.recipe.wanted.clone();
        let made = match &record.layout {
            Layout::Spleeter { stems } => {
                let estimator = Spleeter::new(network, stems.len(), wanted);
                Stream::boxed(Segments::new(mix, estimator))
            }
            Layout::OpenUnmix { .. } => Stream::boxed(Segments::new(mix, OpenUnmix::new(network))),
            Layout::OpenUnmixTogether { stems, stems_in, .. } => {
                let unmix = OpenUnmix::together(network, stems.len(), *stems_in, wanted);
                Stream::boxed(Segments::new(mix, unmix))
            }
            Layout::MdxNet { n_fft, hop, bins, frames, compensation, .. } => {
                let (sizes, seen) = ((*n_fft, *hop), (*bins, *frames));
                Stream::boxed(Segments::new(mix, MdxNet::new(network, sizes, seen, *compensation)))
            }
            Layout::Demucs { stems, length, .. } => {
                Stream::boxed(Waves::new(mix, network, stems.len(), wanted, *length))
            }
            Layout::HybridDemucs { stems, length, samples_in, samples_out, .. } => {
                let spectra = Spectra::new(*length, *samples_in, *samples_out);
                Stream::boxed(Waves::new(mix, network, stems.len(), wanted, *length).with(spectra))
            }
            Layout::Whisper | Layout::Silero | Layout::Resemblyzer | Layout::Meaning => {
                return Err(split(Code::Refused, "this model gives no stems"));
            }
        };
        // The networks go on while this thread mixes and writes.
        let made = resampled(made, self.context.session.rate).map_err(ToolError::media)?;
        Ok(Ahead::boxed(made))
    }
}

/// `count` frames from `at` on; zeros where there is nothing.
fn block(
    reader: &mut dyn FrameReader,
    at: Frames,
    count: usize,
) -> Result<Vec<Vec<f32>>, ToolError> {
    let mut planes = vec![vec![0.0f32; count]; reader.channels()];
    let mut done = 0;
    while done < count && at + Frames::from_index(done) < reader.frames() {
        let mut out: Vec<&mut [f32]> =
            planes.iter_mut().filter_map(|plane| plane.get_mut(done..)).collect();
        let read =
            reader.read(at + Frames::from_index(done), &mut out).map_err(ToolError::media)?;
        if read == 0 {
            break;
        }
        done += read;
    }
    Ok(planes)
}

fn add(to: &mut [f32], from: Option<&Vec<f32>>, times: f32) {
    for (to, from) in to.iter_mut().zip(from.into_iter().flatten()) {
        *to += from * times;
    }
}
