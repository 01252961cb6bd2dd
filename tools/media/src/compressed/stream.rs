//! An open container with its one audio stream and a decoder for it.

use super::codec::{Block, Codec, DecodeFailure};
use super::input::{Input, Spliced};
use super::listed_track::Listed;
use super::{codec_names, guarded, mp4, tracks};
use crate::error::OpenError;
use crate::file::Stamp;
use crate::frame;
use crate::guard;
use crate::speakers;
use symphonia::core::audio::Channels;
use symphonia::core::codecs::audio::{AudioCodecParameters, well_known as id};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::well_known as container;
use symphonia::core::formats::{FormatId, FormatOptions, FormatReader, Track};
use symphonia::core::formats::{SeekMode, SeekTo};
use symphonia::core::io::{MediaSourceStream, MediaSourceStreamOptions};
use symphonia::core::meta::{MetadataOptions, RawValue};
use symphonia::core::packet::Packet;
use symphonia::core::units::{TimeBase, Timestamp};

/// How positions are found and how far back decoding must begin to be exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// MPEG audio frames without a container (MP3, ADTS): packets are counted.
    Bare,
    /// A container that knows its positions.
    Indexed,
    /// A container that tells times to the millisecond (Matroska): read from front to back.
    Timed,
}

/// An open file: container, decoder, and the facts of its stream.
pub(super) struct Stream {
    pub(super) format: Box<dyn FormatReader>,
    pub(super) codec: Codec,
    pub(super) track: Track,
    pub(super) params: AudioCodecParameters,
    pub(super) kind: Kind,
    pub(super) rate: u32,
    pub(super) channels: usize,
    pub(super) file: String,
    pub(super) input: Input,
    /// All tracks of audio in the file.
    pub(super) tracks: Vec<Listed>,
    pub(super) bytes: u64,
    pub(super) stamp: Stamp,
    gapless: bool,
    time_base: TimeBase,
    /// The channel mask among the tags of the file.
    mask: Option<u32>,
}

/// The next part of the container.
pub(super) enum Next {
    Packet(Packet),
    End,
}

impl Stream {
    /// Opens `input`, checks what its header claims, and makes the decoder. Of several tracks of audio
    /// that with number `number` is read, or that which the file names first.
    pub(super) fn open(input: &Input, number: Option<u16>) -> Result<Self, OpenError> {
        let file = crate::error::shown(&input.path);
        let (source, stamp) = input.open()?;
        let format = open_container(source, input, &file)?;
        let tracks = tracks::listed(format.as_ref(), input);
        let entry = tracks::chosen(format.as_ref(), &tracks, number).cloned();
        let place = entry.as_ref().and_then(|entry| tracks::number(&tracks, entry.id));
        let opened = Self::of_track(format, (tracks, entry), input, file, stamp);
        opened.map_err(|error| error.in_track(place))
    }

    fn of_track(
        mut format: Box<dyn FormatReader>,
        (tracks, entry): (Vec<Listed>, Option<Listed>),
        input: &Input,
        file: String,
        stamp: Stamp,
    ) -> Result<Self, OpenError> {
        let mask = tagged_mask(format.as_mut());
        let (track, params) = tracks::found(format.as_ref(), entry.as_ref(), input, &file)?;
        let bytes = input.len();
        check(&track, &params, bytes, &file)?;
        let kind = kind_of(format.format_info().format);
        // A guessed length would make symphonia trim real audio of bare streams.
        let gapless = kind == Kind::Indexed;
        let codec = Codec::new(&params, gapless);
        let named = tracks::codec(entry.as_ref(), input);
        let codec = codec.map_err(|e| unsupported(&e, &params, named, &file))?;
        let rate = params.sample_rate.unwrap_or(0);
        let time_base = track.time_base.or_else(|| TimeBase::try_from_recip(rate));
        let mut stream = Self {
            tracks,
            format,
            codec,
            rate,
            channels: params.channels.as_ref().map_or(0, Channels::count),
            track,
            params,
            kind,
            file,
            input: input.clone(),
            bytes,
            stamp,
            gapless,
            time_base: time_base.unwrap_or_default(),
            mask,
        };
        stream.learn_shape()?;
        Ok(stream)
    }

    /// Headers can be silent or wrong about channels and rate; the first decoded packet is not.
    fn learn_shape(&mut self) -> Result<(), OpenError> {
        /// The most broken packets before the first good one.
        const PATIENCE: usize = 32;
        let mut block = Block::default();
        let mut refusal = None;
        for _ in 0..PATIENCE {
            let packet = match self.next() {
                Ok(Next::Packet(packet)) => packet,
                Ok(Next::End) => {
                    let nothing = OpenError::NoFrames { file: self.file.clone() };
                    return Err(refusal.unwrap_or(nothing));
                }
                Err(problem) => return Err(self.damaged(&problem)),
            };
            match self.codec.decode(&packet, &mut block) {
                Ok(_) => {}
                Err(DecodeFailure::Packet) => {
                    refusal = refusal.or_else(|| self.other_layer(&packet));
                    continue;
                }
                Err(DecodeFailure::Decoder(problem)) => return Err(self.damaged(&problem)),
            }
            if block.planes.is_empty() {
                continue;
            }
            let (channels, rate) = (block.planes.len(), block.rate);
            guard::check_shape(&self.file, channels as u64, rate.into())?;
            (self.channels, self.rate) = (channels, rate);
            return self.rewind();
        }
        Err(refusal.unwrap_or_else(|| self.damaged("none of its first packets can be decoded")))
    }

    /// The refusal of MPEG audio that is no MP3: MP4 does not tell its layers apart.
    fn other_layer(&self, packet: &Packet) -> Option<OpenError> {
        let layer = frame::layer(&packet.data).filter(|layer| *layer < 3)?;
        let is_mpeg = self.params.codec == id::CODEC_ID_MP3;
        is_mpeg.then(|| OpenError::unsupported(&self.file, format!("MP{layer} audio")))
    }

    /// The names of the channels of surround, in decoding order; empty for fewer than three, and if the
    /// format has no order of its own.
    pub(super) fn channel_names(&self) -> Vec<String> {
        let mask = match (self.params.codec, &self.params.channels) {
            (id::CODEC_ID_FLAC | id::CODEC_ID_ALAC, Some(Channels::Positioned(found))) => {
                self.mask.or_else(|| u32::try_from(found.bits()).ok())
            }
            _ => None,
        };
        let mask = mask.filter(|_| self.channels > 2);
        mask.map_or_else(Vec::new, |mask| speakers::of_mask(mask, self.channels))
    }

    /// Begins again at the first packet.
    pub(super) fn rewind(&mut self) -> Result<(), OpenError> {
        let (source, stamp) = self.input.open()?;
        if stamp != self.stamp {
            return Err(self.damaged("another program writes to it"));
        }
        self.format = open_container(source, &self.input, &self.file)?;
        self.reset_codec()
    }

    /// Makes the decoder forget; one that cannot is replaced.
    pub(super) fn reset_codec(&mut self) -> Result<(), OpenError> {
        if self.codec.reset().is_err() {
            let made = Codec::new(&self.params, self.gapless);
            self.codec = made.map_err(|e| unsupported(&e, &self.params, None, &self.file))?;
        }
        Ok(())
    }

    /// The next packet of the audio stream, or the problem of the container.
    pub(super) fn next(&mut self) -> Result<Next, String> {
        let id = self.track.id;
        loop {
            let format = &mut self.format;
            match guarded(|| format.next_packet()) {
                Ok(Ok(Some(packet))) if packet.track_id == id => return Ok(Next::Packet(packet)),
                Ok(Ok(Some(_))) => {}
                // A file that is cut off ends where its bytes end; a chained stream ends here too.
                Ok(Ok(None) | Err(Error::ResetRequired)) => return Ok(Next::End),
                Ok(Err(Error::IoError(e))) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
                    return Ok(Next::End);
                }
                Ok(Err(error)) => return Err(error.to_string()),
                Err(_) => return Err("its structure makes no sense".into()),
            }
        }
    }

    /// Moves to the packet at or before `frame` (in frames of the stream). False when it cannot.
    pub(super) fn seek(&mut self, frame: i64) -> bool {
        // Among several streams in Ogg, symphonia 0.6.1 looks for ever.
        let format = self.format.as_ref();
        if format.format_info().format == container::FORMAT_ID_OGG && format.tracks().len() > 1 {
            return false;
        }
        let start = self.track.start_ts.get().max(0);
        let ts = self.ticks(frame).max(start);
        let to = SeekTo::Timestamp { ts: Timestamp::new(ts), track_id: self.track.id };
        let format = &mut self.format;
        let sought = guarded(|| format.seek(SeekMode::Accurate, to));
        matches!(sought, Ok(Ok(_))) && self.codec.reset().is_ok()
    }

    /// Where the audio of `packet` begins, in frames of the stream.
    pub(super) fn start_of(&self, packet: &Packet) -> i64 {
        let trimmed = if self.gapless { packet.trim_start.get() } else { 0 };
        self.frames(packet.pts.get()) + self.frames(i64::try_from(trimmed).unwrap_or(0))
    }

    /// How many frames `packet` holds, at most one packet's worth.
    pub(super) fn length_of(&self, packet: &Packet) -> i64 {
        match (self.kind, self.params.codec) {
            (Kind::Indexed | Kind::Timed, _) => {
                self.frames(i64::try_from(packet.dur.get()).unwrap_or(0)).clamp(0, 65_536)
            }
            // Fixed by the standards; symphonia 0.6.1 counts trimmed frames twice.
            (Kind::Bare, id::CODEC_ID_MP1) => 384,
            (Kind::Bare, id::CODEC_ID_MP3) if self.rate < 32_000 => 576,
            (Kind::Bare, id::CODEC_ID_AAC) => 1024,
            (Kind::Bare, _) => 1152,
        }
    }

    /// Ticks of the container to frames, to the nearest.
    pub(super) fn frames(&self, ticks: i64) -> i64 {
        let numer = i128::from(self.time_base.numer.get()) * i128::from(self.rate);
        scale(ticks, numer, self.time_base.denom.get().into())
    }

    fn ticks(&self, frames: i64) -> i64 {
        let denom = i128::from(self.time_base.numer.get()) * i128::from(self.rate);
        scale(frames, self.time_base.denom.get().into(), denom)
    }

    /// How far rounding to the container's clock can be off, in frames; 0 when a tick is a frame.
    pub(super) fn tick_frames(&self) -> i64 {
        if self.kind == Kind::Timed {
            // Browsers stamp what they record when it arrives, some milliseconds early or late.
            return i64::from(self.rate) / 50;
        }
        let (numer, denom) = (self.time_base.numer.get(), self.time_base.denom.get());
        if numer == 1 && denom == self.rate {
            return 0;
        }
        1 + i64::from(self.rate) * i64::from(numer) / i64::from(denom)
    }

    /// The problem, as an error that names the file.
    pub(super) fn damaged(&self, otherwise: &str) -> OpenError {
        let problem = problem(&self.input, otherwise);
        OpenError::Damaged { file: self.file.clone(), problem }
    }
}

fn scale(value: i64, numer: i128, denom: i128) -> i64 {
    let denom = denom.max(1);
    let scaled = (i128::from(value) * numer + denom / 2).div_euclid(denom);
    i64::try_from(scaled).unwrap_or(if scaled < 0 { i64::MIN } else { i64::MAX })
}

/// How many tracks of audio the file has.
pub(super) fn track_count(input: &Input) -> u16 {
    let opened = input.open().and_then(|(source, _)| open_container(source, input, ""));
    let count = opened.map_or(0, |format| tracks::listed(format.as_ref(), input).len());
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// Opens the container in `input`, which a refusal calls `file`.
pub(super) fn open_container(
    source: Spliced,
    input: &Input,
    file: &str,
) -> Result<Box<dyn FormatReader>, OpenError> {
    let source = MediaSourceStream::new(Box::new(source), MediaSourceStreamOptions::default());
    let mut hint = Hint::new();
    if let Some(extension) = input.path.extension().and_then(|e| e.to_str()) {
        hint.with_extension(extension);
    }
    let opened = guarded(|| {
        let (format, meta) = (FormatOptions::default(), MetadataOptions::default());
        symphonia::default::get_probe().probe(&hint, source, format, meta)
    });
    let damaged = |otherwise: &str| {
        let problem = problem(input, otherwise);
        OpenError::Damaged { file: file.to_owned(), problem }
    };
    match opened {
        Ok(Ok(format)) => Ok(format),
        // What ends inside its own header is as a rule not audio at all.
        Ok(Err(error)) if is_foreign(&error) => Err(match codec_names::of(input) {
            Some(codec) => OpenError::unsupported(file, codec),
            None if mp4::is_without_index(input) => damaged("its header makes no sense"),
            None => OpenError::NotAudio { file: file.to_owned() },
        }),
        Ok(Err(Error::IoError(e))) => {
            Err(OpenError::Io { file: file.to_owned(), cause: e.to_string() })
        }
        Ok(Err(error)) => Err(damaged(&error.to_string())),
        Err(_) => Err(damaged("its header makes no sense")),
    }
}

fn is_foreign(error: &Error) -> bool {
    match error {
        Error::Unsupported(_) => true,
        Error::IoError(error) => error.kind() == std::io::ErrorKind::UnexpectedEof,
        _ => false,
    }
}

/// The channel mask of a FLAC file whose channels differ from the standard (RFC 9639 section 8.6.2).
fn tagged_mask(format: &mut dyn FormatReader) -> Option<u32> {
    const TAG: &str = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK";
    let mut metadata = format.metadata();
    let tags = &metadata.skip_to_latest()?.media.tags;
    let tag = tags.iter().find(|tag| tag.raw.key.eq_ignore_ascii_case(TAG))?;
    let RawValue::String(text) = &tag.raw.value else {
        return None;
    };
    u32::from_str_radix(text.trim().trim_start_matches("0x").trim_start_matches("0X"), 16).ok()
}

/// The problem of a container, in words that help if it is an incomplete MP4.
fn problem(input: &Input, otherwise: &str) -> String {
    if let Some((present, promised)) = mp4::cut_off(input) {
        return format!("it is cut off, {present} of {promised} bytes are there");
    }
    if mp4::is_without_index(input) {
        return "the recorder never finished it, and its index (moov) is missing".to_owned();
    }
    otherwise.to_owned()
}

/// The checks before a decoder is made.
fn check(
    track: &Track,
    params: &AudioCodecParameters,
    bytes: u64,
    file: &str,
) -> Result<(), OpenError> {
    let channels = params.channels.as_ref().map_or(1, |c| c.count() as u64);
    let rate = params.sample_rate.map_or(48_000, u64::from);
    guard::check_shape(file, channels, rate)?;
    check_surround(params, channels, file)?;
    let packet = params.max_frames_per_packet.into_iter().chain(params.frames_per_block).max();
    guard::check_packet(file, packet.unwrap_or(0))?;
    guard::check_length(file, track.num_frames.unwrap_or(0), rate, bytes)
}

/// For more than two channels symphonia 0.6.1 couples the wrong ones (Vorbis), and opus-decoder 0.1.1 fails
/// (Opus).
fn check_surround(
    params: &AudioCodecParameters,
    channels: u64,
    file: &str,
) -> Result<(), OpenError> {
    let name = match params.codec {
        id::CODEC_ID_VORBIS | id::CODEC_ID_OPUS if channels > 2 => codec_name(params),
        _ => return Ok(()),
    };
    Err(OpenError::unsupported(
        file,
        format!("surround {name} ({channels} channels, only mono and stereo are supported)"),
    ))
}

fn kind_of(format: FormatId) -> Kind {
    let bare = [
        container::FORMAT_ID_MP1,
        container::FORMAT_ID_MP2,
        container::FORMAT_ID_MP3,
        container::FORMAT_ID_ADTS,
    ];
    match format {
        container::FORMAT_ID_MKV => Kind::Timed,
        _ if bare.contains(&format) => Kind::Bare,
        _ => Kind::Indexed,
    }
}

fn unsupported(
    error: &Error,
    params: &AudioCodecParameters,
    named: Option<String>,
    file: &str,
) -> OpenError {
    let codec = match params.codec {
        id::CODEC_ID_AAC => "AAC other than two-channel AAC-LC (HE-AAC or surround)".to_owned(),
        _ => match (codec_name(params), error) {
            ("unknown" | "PCM", _) => named.unwrap_or_else(|| "an unknown codec".to_owned()),
            (name, Error::Unsupported(what)) if !what.contains("unsupported audio codec") => {
                format!("{name} of a kind that is not supported ({what})")
            }
            (name, _) => format!("{name} audio"),
        },
    };
    OpenError::unsupported(file, codec)
}

/// The name of a container for a person.
pub(super) fn format_name(format: &dyn FormatReader) -> &'static str {
    match format.format_info().format {
        container::FORMAT_ID_WAVE => "WAV",
        container::FORMAT_ID_AIFF => "AIFF",
        container::FORMAT_ID_MP1 => "MP1",
        container::FORMAT_ID_MP2 => "MP2",
        container::FORMAT_ID_MP3 => "MP3",
        container::FORMAT_ID_ADTS => "AAC",
        container::FORMAT_ID_OGG => "Ogg",
        container::FORMAT_ID_FLAC => "FLAC",
        container::FORMAT_ID_ISOMP4 => "MP4",
        container::FORMAT_ID_MKV => "Matroska",
        _ => format.format_info().short_name,
    }
}

pub(super) fn codec_name(params: &AudioCodecParameters) -> &'static str {
    match params.codec {
        id::CODEC_ID_MP1 => "MP1",
        id::CODEC_ID_MP2 => "MP2",
        id::CODEC_ID_MP3 => "MP3",
        id::CODEC_ID_AAC => "AAC",
        id::CODEC_ID_ALAC => "ALAC",
        id::CODEC_ID_FLAC => "FLAC",
        id::CODEC_ID_VORBIS => "Vorbis",
        id::CODEC_ID_OPUS => "Opus",
        id::CODEC_ID_AC3 => "AC-3",
        id::CODEC_ID_EAC3 => "E-AC-3",
        id::CODEC_ID_ADPCM_MS | id::CODEC_ID_ADPCM_IMA_WAV | id::CODEC_ID_ADPCM_IMA_QT => "ADPCM",
        id::CODEC_ID_PCM_ALAW => "A-law",
        id::CODEC_ID_PCM_MULAW => "mu-law",
        _ if params.bits_per_sample.is_some() => "PCM",
        _ => "unknown",
    }
}
