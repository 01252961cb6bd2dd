//! The input: a thread opens it, holds its stream while a track is armed, and writes the recording.

use super::clock_map::{Anchor, Moment};
use super::device::{Choice, InputConfig, SoundError, find_input, input_config, label};
use super::input_level::Incoming;
use super::record::{Listener, MOST_CHANNELS, RecordNews, Taker, Writer};
use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{ErrorKind, FromSample, InputStreamTimestamp, SampleFormat, SizedSample, Stream};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, unbounded};
use deskhand_dsp::SampleRate;
use deskhand_editor::InputChannels;
use deskhand_engine::capture::{CaptureConfig, CaptureThread, capture};
use deskhand_session::TrackId;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long an input may take to start.
const PATIENCE: Duration = Duration::from_secs(3);

/// What to record, and where.
pub struct InputOrder {
    /// The system whose input is taken.
    pub choice: Choice,
    /// The timeline's position at the output.
    pub anchor: Anchor,
    /// The rate of the output, which the input must run at.
    pub rate: SampleRate,
    pub session: SampleRate,
    /// Where files are written.
    pub folder: PathBuf,
    pub takers: Vec<(TrackId, InputChannels)>,
}

/// An input that is open, or being opened. After it is dropped, its recordings are still reported.
pub struct Input {
    stop: Option<Sender<()>>,
    news: Receiver<RecordNews>,
    is_on: Arc<AtomicBool>,
    incoming: BTreeMap<TrackId, Incoming>,
}

impl Input {
    /// Opens an input. `wake` is called, on another thread, when there is something for [`Self::next`].
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn open(
        order: InputOrder,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> Result<Self, SoundError> {
        let (stop, stopped) = bounded(0);
        let (told, news) = unbounded();
        let is_on = Arc::new(AtomicBool::new(false));
        let switch = Arc::clone(&is_on);
        let measured = order.takers.iter().map(|(track, _)| (*track, Incoming::default()));
        let incoming: BTreeMap<TrackId, Incoming> = measured.collect();
        let heard = incoming.clone();
        let run = move || {
            hold(order, &heard, &told, &switch, &wake, &stopped);
            drop(told);
            wake();
        };
        let thread = std::thread::Builder::new().name("input".into());
        let failed = |error: std::io::Error| SoundError::Thread { why: error.to_string() };
        thread.spawn(run).map_err(failed)?;
        Ok(Self { stop: Some(stop), news, is_on, incoming })
    }

    /// An input that somebody else feeds: what it tells comes through `news`, and `is_on` is its switch.
    #[must_use]
    pub fn elsewhere(news: Receiver<RecordNews>, is_on: Arc<AtomicBool>) -> Self {
        Self { stop: None, news, is_on, incoming: BTreeMap::new() }
    }

    /// The largest absolute sample of both sides since the last look, of each track that takes something.
    #[must_use]
    pub fn levels(&self) -> BTreeMap<TrackId, [f32; 2]> {
        self.incoming.iter().map(|(track, incoming)| (*track, incoming.take())).collect()
    }

    /// How many tracks it records to at once.
    #[must_use]
    pub fn tracks(&self) -> u32 {
        u32::try_from(self.incoming.len()).unwrap_or(u32::MAX).max(1)
    }

    /// Records while the timeline moves, or does not any more.
    pub fn record(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
    }

    /// Releases the device. Recordings are written, and reported by [`Self::next`].
    pub fn close(&mut self) {
        self.record(false);
        self.stop = None;
    }

    /// The next result.
    ///
    /// # Errors
    /// [`TryRecvError::Disconnected`] once it is closed and everything was reported.
    pub fn next(&self) -> Result<RecordNews, TryRecvError> {
        self.news.try_recv()
    }

    /// The same, waiting for it.
    ///
    /// # Errors
    /// [`RecvTimeoutError::Disconnected`] once it is closed and everything was reported; `Timeout` at
    /// `until`.
    pub fn wait(&self, until: Instant) -> Result<RecordNews, RecvTimeoutError> {
        self.news.recv_deadline(until)
    }
}

fn hold(
    order: InputOrder,
    incoming: &BTreeMap<TrackId, Incoming>,
    told: &Sender<RecordNews>,
    switch: &Arc<AtomicBool>,
    wake: &(impl Fn() + Send + Clone + 'static),
    stopped: &Receiver<()>,
) {
    let opened = open(order, incoming, told, switch, wake);
    let news = match &opened {
        Ok(opened) => RecordNews::Ready { name: opened.name.clone(), channels: opened.channels },
        Err(error) => RecordNews::Failed(error.to_string()),
    };
    drop(told.send(news));
    wake();
    let Ok(Opened { stream, threads, .. }) = opened else { return };
    // Nothing is ever sent: it ends when the window lets go.
    stopped.recv().ok();
    // The callback first, and with it the last pass; then what writes it.
    drop(stream);
    drop(threads);
}

/// An input that runs.
struct Opened {
    stream: Stream,
    /// One writes for each taker.
    threads: Vec<CaptureThread>,
    name: String,
    channels: usize,
}

fn open(
    order: InputOrder,
    incoming: &BTreeMap<TrackId, Incoming>,
    told: &Sender<RecordNews>,
    switch: &Arc<AtomicBool>,
    wake: &(impl Fn() + Send + Clone + 'static),
) -> Result<Opened, SoundError> {
    let InputOrder { choice, anchor, rate, session, folder, takers } = order;
    let device = find_input(&choice)?;
    let name = label(&device);
    let refused = |why: String| SoundError::Refused { device: name.clone(), why };
    let needed = takers.iter().map(|(_, channels)| channels.end()).max().unwrap_or(MOST_CHANNELS);
    let InputConfig { config, format, most, inputs } = input_config(&device, rate, needed)?;
    if let Some(gone) = missing(&takers, most) {
        return Err(SoundError::NoChannel { device: name.clone(), channels: gone.words() });
    }
    let (mut threads, mut all) = (Vec::new(), Vec::new());
    for (track, channels) in takers {
        let (tap, feed) = capture(CaptureConfig::at(rate, MOST_CHANNELS))
            .map_err(|error| refused(error.to_string()))?;
        let count = match channels {
            InputChannels::Pair(_) => usize::from(config.channels).min(MOST_CHANNELS),
            InputChannels::One(_) => 1,
        };
        let (told, wake) = (told.clone(), Box::new(wake.clone()));
        let writer = Writer::new(track, &folder, [rate, session], count, told, wake);
        let thread = feed.spawn(Box::new(writer));
        threads.push(thread.map_err(|error| SoundError::Thread { why: error.to_string() })?);
        let incoming = incoming.get(&track).cloned().unwrap_or_default();
        all.push(Taker { tap, channels, incoming });
    }
    let listener = Listener::new(all, anchor, rate, Arc::clone(switch));
    let (lost, woken) = (told.clone(), wake.clone());
    let lost = move |why: String| {
        drop(lost.send(RecordNews::Failed(format!("the input went away: {why}"))));
        woken();
    };
    let stream = match format {
        SampleFormat::I32 => build::<i32>(&device, config, listener, lost),
        SampleFormat::I16 => build::<i16>(&device, config, listener, lost),
        SampleFormat::U16 => build::<u16>(&device, config, listener, lost),
        _ => build::<f32>(&device, config, listener, lost),
    };
    let started = stream.and_then(|stream| stream.play().map(|()| stream));
    let stream = started.map_err(|error| refused(error.to_string()))?;
    Ok(Opened { stream, threads, name, channels: inputs })
}

/// The input of a track whose first channel does not exist now: another channel would be recorded in its
/// place.
fn missing(takers: &[(TrackId, InputChannels)], channels: usize) -> Option<InputChannels> {
    takers.iter().map(|(_, taken)| *taken).find(|taken| taken.first() >= channels)
}

fn build<T>(
    device: &cpal::Device,
    config: cpal::StreamConfig,
    mut listener: Listener,
    mut lost: impl FnMut(String) + Send + 'static,
) -> Result<Stream, cpal::Error>
where
    T: SizedSample,
    f32: FromSample<T>,
{
    let channels = usize::from(config.channels);
    let hear = move |block: &[T], info: &cpal::InputCallbackInfo| {
        listener.hear(block, channels, captured(info.timestamp()));
    };
    let failed = move |error: cpal::Error| match error.kind() {
        // A block that is missing begins another pass: nothing is bridged in silence.
        ErrorKind::Xrun | ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
        _ => lost(error.to_string()),
    };
    device.build_input_stream(config, hear, failed, Some(PATIENCE))
}

fn captured(at: InputStreamTimestamp) -> Moment {
    Moment { callback: nanos(at.callback), converter: nanos(at.capture) }
}

pub(super) fn nanos(at: cpal::StreamInstant) -> i64 {
    i64::try_from(at.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_input_has_not_is_not_recorded_from_another_channel() {
        let takers = [InputChannels::Pair(0), InputChannels::One(5)];
        let takers = takers.map(|channels| (TrackId::new(1), channels));
        assert_eq!(missing(&takers, 2), Some(InputChannels::One(5)));
        assert_eq!(missing(&takers, 6), None);
        assert_eq!(missing(&takers[..1], 1), None, "one channel goes to both sides");
    }
}
