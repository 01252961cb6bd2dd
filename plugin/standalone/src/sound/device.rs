//! The sound devices of this computer, and which of them a person chose.

use super::inputs::{inputs, plugs};
use cpal::traits::{DeviceTrait, HostTrait};
use cpal::{
    BufferSize, Device, DeviceId, SampleFormat, StreamConfig, SupportedBufferSize,
    SupportedStreamConfigRange,
};
use deskhand_dsp::SampleRate;
use deskhand_engine::EngineError;
use serde::{Deserialize, Serialize};

/// The choices of a person; the machine decides the absent ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// The id of a [`DeviceName`].
    pub device: Option<String>,
    /// The rate in Hz; else the session's, where the device can.
    pub rate: Option<u32>,
    /// Frames of a block; else the device's own.
    pub buffer: Option<u32>,
}

/// A device as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceName {
    /// Names it in a [`Choice`], also tomorrow.
    pub id: String,
    pub name: String,
}

/// Why there is no sound.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SoundError {
    #[error(
        "no sound device was found; connect one, or start JACK, and it is taken up. All else works without"
    )]
    NoDevice,
    #[error(
        "{device} is not there; connect it and choose it again, or choose another in the settings"
    )]
    Absent { device: String },
    #[error("no input was found; connect a microphone or an interface, and arm the track again")]
    NoInput,
    #[error("{device} has no {channels}; choose another with a right click on the track's R")]
    NoChannel { device: String, channels: String },
    #[error(
        "{device} does not run at {rate} Hz, as the output does; choose a rate that both have in the settings"
    )]
    InputRate { device: String, rate: u32 },
    #[error(
        "{device} cannot be opened: {why}; end what else uses it and choose it again, or choose another in the settings"
    )]
    Refused { device: String, why: String },
    /// The engine cannot play at the device's rate.
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("no thread could be started ({why}); end other programs and start again")]
    Thread { why: String },
}

/// Every device that can play, JACK first. It asks the system: not on the window's thread.
#[must_use]
pub fn names() -> Vec<DeviceName> {
    let others = cpal::available_hosts().into_iter().filter(|id| !is_jack(*id));
    let others = others.filter_map(|id| cpal::host_from_id(id).ok()).flat_map(|host| {
        let devices = host.output_devices();
        devices.map(Iterator::collect).unwrap_or_else(|_| Vec::new())
    });
    jack().into_iter().chain(others).filter_map(|device| name_of(&device)).collect()
}

fn name_of(device: &Device) -> Option<DeviceName> {
    Some(DeviceName { id: device.id().ok()?.to_string(), name: label(device) })
}

/// The name of a device and its system.
pub(super) fn label(device: &Device) -> String {
    let id = device.id();
    if id.as_ref().is_ok_and(|id| is_jack(id.host())) {
        return "JACK".into();
    }
    let system = id.map(|id| id.host().name()).unwrap_or_default();
    let name = device.description().map(|about| about.name().to_owned());
    name.map_or_else(|_| system.to_owned(), |name| format!("{name} ({system})"))
}

/// The chosen device, else a running JACK server's, else the system's own.
pub(super) fn find(choice: &Choice) -> Result<Device, SoundError> {
    let Some(wanted) = &choice.device else {
        let usual = || cpal::default_host().default_output_device();
        let found = jack().or_else(usual);
        // A system without a card has a default all the same, which nothing can be played to.
        return found.filter(DeviceTrait::supports_output).ok_or(SoundError::NoDevice);
    };
    let absent = || SoundError::Absent { device: wanted.clone() };
    let id: DeviceId = wanted.parse().map_err(|_| absent())?;
    if is_jack(id.host()) {
        return jack().ok_or_else(absent);
    }
    let host = cpal::host_from_id(id.host()).map_err(|_| absent())?;
    host.device_by_id(&id).ok_or_else(absent)
}

/// The input of the system that plays the output.
pub(super) fn find_input(choice: &Choice) -> Result<Device, SoundError> {
    let output = find(choice)?;
    let host = output.id().ok().and_then(|id| cpal::host_from_id(id.host()).ok());
    let input = host.and_then(|host| host.default_input_device());
    input.filter(DeviceTrait::supports_input).ok_or(SoundError::NoInput)
}

/// How an input is opened.
pub(super) struct InputConfig {
    pub(super) config: StreamConfig,
    pub(super) format: SampleFormat,
    /// The most channels that it can be opened with.
    pub(super) most: usize,
    /// How many of them are inputs of it.
    pub(super) inputs: usize,
}

/// How an input is opened at `rate`: with as few channels as hold the `needed` ones, and floating point where there
/// is a choice.
pub(super) fn input_config(
    device: &Device,
    rate: SampleRate,
    needed: usize,
) -> Result<InputConfig, SoundError> {
    let refused =
        |error: cpal::Error| SoundError::Refused { device: label(device), why: error.to_string() };
    let ranges = device.supported_input_configs().map_err(refused)?;
    let fitting = ranges.filter(|range| range.contains_rate(rate.0) && is_playable(range));
    let fitting: Vec<_> = fitting.collect();
    let channels = |range: &SupportedStreamConfigRange| usize::from(range.channels());
    let counts: Vec<usize> = fitting.iter().map(channels).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let enough = fitting.iter().map(channels).filter(|count| *count >= needed.min(most)).min();
    let chosen = fitting.into_iter().filter(|range| Some(channels(range)) == enough);
    let best = chosen.max_by(SupportedStreamConfigRange::cmp_default_heuristics);
    let best = best.and_then(|range| range.try_with_sample_rate(rate.0));
    let none = || SoundError::InputRate { device: label(device), rate: rate.0 };
    let best = best.ok_or_else(none)?;
    let default = || device.default_input_config().ok().map(|it| usize::from(it.channels()));
    let inputs = inputs(&counts, plugs(device), || default().unwrap_or(most));
    Ok(InputConfig { config: best.config(), format: best.sample_format(), most, inputs })
}

#[cfg(target_os = "linux")]
fn is_jack(host: cpal::HostId) -> bool {
    host == cpal::HostId::Jack
}

#[cfg(not(target_os = "linux"))]
fn is_jack(_: cpal::HostId) -> bool {
    false
}

/// The running server; none is started.
#[cfg(target_os = "linux")]
fn jack() -> Option<Device> {
    cpal::host_from_id(cpal::HostId::Jack).ok()?.default_output_device()
}

#[cfg(not(target_os = "linux"))]
fn jack() -> Option<Device> {
    None
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Hz, ascending.
    pub rates: Vec<u32>,
    /// Frames of a block, ascending.
    pub buffers: Vec<u32>,
}

/// Rates that people know, Hz.
const RATES: [u32; 6] = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000];
/// Blocks that people know, frames.
const BUFFERS: [u32; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];

/// The formats of the chosen device; empty if it is missing. It asks the system, so never call it on the
/// window's thread.
#[must_use]
pub fn offers(choice: &Choice) -> Offers {
    let ranges = find(choice).ok().and_then(|device| device.supported_output_configs().ok());
    let ranges: Vec<_> = ranges.into_iter().flatten().filter(is_playable).collect();
    let has_rate = |rate: &u32| ranges.iter().any(|range| range.contains_rate(*rate));
    let has_buffer = |frames: &u32| ranges.iter().any(|range| takes(*range.buffer_size(), *frames));
    Offers {
        rates: RATES.into_iter().filter(has_rate).collect(),
        buffers: BUFFERS.into_iter().filter(has_buffer).collect(),
    }
}

fn takes(range: SupportedBufferSize, frames: u32) -> bool {
    match range {
        SupportedBufferSize::Range { min, max } => (min..=max).contains(&frames),
        SupportedBufferSize::Unknown => true,
    }
}

/// The configuration that suits best: the rate that was chosen, else the session's, else the device's; stereo
/// and floating point where there is a choice.
pub(super) fn config(
    device: &Device,
    choice: &Choice,
    session: SampleRate,
) -> Result<(StreamConfig, SampleFormat), SoundError> {
    let refused =
        |error: cpal::Error| SoundError::Refused { device: label(device), why: error.to_string() };
    let wanted = choice.rate.unwrap_or(session.0);
    let ranges = device.supported_output_configs().map_err(refused)?;
    let fitting = ranges.filter(|range| range.contains_rate(wanted) && is_playable(range));
    let best = fitting.max_by(SupportedStreamConfigRange::cmp_default_heuristics);
    let best = match best.and_then(|range| range.try_with_sample_rate(wanted)) {
        Some(config) => config,
        None => device.default_output_config().map_err(refused)?,
    };
    let mut config = best.config();
    config.buffer_size = buffer(choice.buffer, *best.buffer_size());
    Ok((config, best.sample_format()))
}

/// Formats that [`super::stream`] can write.
fn is_playable(range: &SupportedStreamConfigRange) -> bool {
    matches!(
        range.sample_format(),
        SampleFormat::F32 | SampleFormat::I32 | SampleFormat::I16 | SampleFormat::U16
    )
}

fn buffer(wanted: Option<u32>, range: SupportedBufferSize) -> BufferSize {
    match (wanted, range) {
        (Some(frames), SupportedBufferSize::Range { min, max }) => {
            BufferSize::Fixed(frames.clamp(min, max.max(min)))
        }
        (Some(frames), SupportedBufferSize::Unknown) => BufferSize::Fixed(frames),
        (None, _) => BufferSize::Default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_size_is_kept_within_what_the_device_takes() {
        let range = SupportedBufferSize::Range { min: 64, max: 1024 };
        assert_eq!(buffer(Some(16), range), BufferSize::Fixed(64));
        assert_eq!(buffer(Some(256), range), BufferSize::Fixed(256));
        assert_eq!(buffer(None, range), BufferSize::Default);
        assert!(takes(range, 1024) && !takes(range, 2048));
    }

    #[test]
    fn a_device_that_is_not_there_is_named() {
        for device in ["alsa:hw:nobody,7", "nothing"] {
            let choice = Choice { device: Some(device.into()), ..Choice::default() };
            let refused = find(&choice).err().map(|error| error.to_string());
            assert!(refused.is_some_and(|it| it.starts_with(device)), "{device}");
            assert_eq!(offers(&choice), Offers::default());
        }
    }
}
