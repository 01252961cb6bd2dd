//! A device's stream that pulls from the engine.

use super::clock_map::Moment;
use super::device::{Choice, SoundError, config, find, label};
use super::input::nanos;
use super::pull::Pull;
use super::watch::Watch;
use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{
    Device, ErrorKind, FromSample, Sample, SampleFormat, SizedSample, Stream, StreamConfig,
};
use deskhand_dsp::SampleRate;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long a device may take to start.
const PATIENCE: Duration = Duration::from_secs(3);

/// A device that was found, and how it will be opened.
pub(super) struct Ready {
    device: Device,
    config: StreamConfig,
    format: SampleFormat,
    pub(super) name: String,
}

/// Looks for the device of `choice`, for a session at `rate`.
pub(super) fn ready(choice: &Choice, rate: SampleRate) -> Result<Ready, SoundError> {
    let device = find(choice)?;
    let (config, format) = config(&device, choice, rate)?;
    let name = label(&device);
    Ok(Ready { device, config, format, name })
}

impl Ready {
    pub(super) fn rate(&self) -> SampleRate {
        SampleRate(self.config.sample_rate)
    }

    /// Starts the stream; `watch` wraps its callback. `lost` is called, on another thread, when the device
    /// is gone.
    pub(super) fn start(
        &self,
        pull: Pull,
        watch: impl Watch,
        xruns: &Arc<AtomicU64>,
        lost: impl FnMut(String) + Send + 'static,
    ) -> Result<Stream, SoundError> {
        let stream = match self.format {
            SampleFormat::I32 => self.build::<i32>(pull, watch, xruns, lost),
            SampleFormat::I16 => self.build::<i16>(pull, watch, xruns, lost),
            SampleFormat::U16 => self.build::<u16>(pull, watch, xruns, lost),
            _ => self.build::<f32>(pull, watch, xruns, lost),
        };
        let started = stream.and_then(|stream| stream.play().map(|()| stream));
        started.map_err(|error| SoundError::Refused {
            device: self.name.clone(),
            why: error.to_string(),
        })
    }

    fn build<T>(
        &self,
        mut pull: Pull,
        mut watch: impl Watch,
        xruns: &Arc<AtomicU64>,
        mut lost: impl FnMut(String) + Send + 'static,
    ) -> Result<Stream, cpal::Error>
    where
        T: SizedSample + FromSample<f32>,
        f32: FromSample<T>,
    {
        let channels = usize::from(self.config.channels).max(1);
        let xruns = Arc::clone(xruns);
        let rate = self.config.sample_rate;
        let play = move |out: &mut [T], info: &cpal::OutputCallbackInfo| {
            watch.block(out.len() / channels, &mut || {
                let at = info.timestamp();
                let moment = Moment { callback: nanos(at.callback), converter: nanos(at.playback) };
                pull.fill_at(out, channels, moment, rate);
            });
            watch.heard(&mut out.iter().step_by(channels).map(|one| f32::from_sample(*one)));
        };
        let failed = move |error: cpal::Error| match error.kind() {
            // Some systems call this on the audio thread: count, and nothing else.
            ErrorKind::Xrun => drop(xruns.fetch_add(1, Ordering::Relaxed)),
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
            _ => lost(error.to_string()),
        };
        self.device.build_output_stream(self.config, play, failed, Some(PATIENCE))
    }
}
