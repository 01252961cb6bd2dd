//! Adding a person's own model: an ONNX file, and a TOML file beside it for what the graph does not say.

use crate::card::{Origin, Pin, Record, Task};
use crate::child::Remote;
use crate::digest;
use crate::error::{InstallError, LibraryError};
use crate::layout::Layout;
use crate::library::{Installed, Library};
use crate::look::{Port, Signature, look};
use crate::network::{Network, Tensor};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// The largest file that is added, in bytes.
const LARGEST: u64 = 2_000_000_000;
/// The file that is kept.
const FILE: &str = "model.onnx";
/// Bins of Open-Unmix.
const UNMIX_BINS: u64 = 2049;
/// Stems of Demucs by their number, in its order.
const DEMUCS: [&str; 6] = ["drums", "bass", "other", "vocals", "guitar", "piano"];
/// Values of one input at most, so that trying a model costs little.
const MOST_VALUES: u64 = 1 << 26;

/// What a person says of a model: `NAME.toml` beside `NAME.onnx`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Sidecar {
    id: Option<String>,
    title: Option<String>,
    version: Option<String>,
    license: Option<String>,
    /// The stem of a network that gives one.
    stem: Option<String>,
    /// The stems of a network that gives several, in its order.
    stems: Option<Vec<String>>,
    rate: Option<u32>,
    n_fft: Option<usize>,
    hop: Option<usize>,
    compensation: Option<f64>,
}

/// Adds `file` to `library`: looks at it, reads its layout, has a child process with limits run it once on
/// silence, and keeps a copy. The id is the file's name unless the sidecar gives one.
///
/// # Errors
/// When it is no separation network that runs here; nothing is kept.
pub fn add(library: &Library, file: &Path) -> Result<Installed, InstallError> {
    let refused = |problem: String| InstallError::File { file: format!("{file:?}"), problem };
    let bytes = read(file).map_err(refused)?;
    let signature = look(&bytes).map_err(|error| refused(error.to_string()))?;
    let sidecar = sidecar(file).map_err(refused)?;
    let layout = layout(&signature, &sidecar).map_err(refused)?;
    let record = record(file, &bytes, sidecar, layout).map_err(refused)?;
    let workshop = library.workshop()?;
    let kept = workshop.path().join(FILE);
    fs::write(&kept, &bytes).map_err(|error| LibraryError::io(&kept, &error))?;
    drop(bytes);
    let network =
        Remote::start(&kept).map_err(|error| refused(format!("{error}; it was not kept")))?;
    try_once(&network, &signature, &record.layout)
        .map_err(|problem| refused(format!("{problem}; it was not kept")))?;
    drop(network);
    library.keep(workshop, &record)
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("it cannot be read ({error}); check the path");
    let metadata = fs::metadata(file).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("it is no file; name the ONNX file itself".into());
    }
    if metadata.len() > LARGEST {
        return Err("it is larger than 2 GB; no separation network that runs here is".into());
    }
    fs::read(file).map_err(unreadable)
}

fn sidecar(file: &Path) -> Result<Sidecar, String> {
    let path = file.with_extension("toml");
    match fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text).map_err(|error| {
            let text = error.message().replace('\n', " ");
            format!("{path:?} beside it is not understood: {text}; correct it")
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Sidecar::default()),
        Err(error) => Err(format!("{path:?} beside it cannot be read ({error}); check it")),
    }
}

fn record(file: &Path, bytes: &[u8], sidecar: Sidecar, layout: Layout) -> Result<Record, String> {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let id: String = sidecar.id.unwrap_or_else(|| stem.to_lowercase());
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    let fits = (1..=60).contains(&id.len()) && !id.starts_with('.') && id.chars().all(is_plain);
    if !fits {
        let why = "an id has up to 60 lower-case letters, digits, - and _";
        return Err(format!("{id:?} is no id ({why}); set `id` in the .toml beside it"));
    }
    if crate::catalog::card(&id).is_some() {
        return Err(format!(
            "{id} is a model of the catalog; set another `id` in the .toml beside it"
        ));
    }
    Ok(Record {
        title: sidecar.title.unwrap_or_else(|| stem.to_owned()),
        id,
        task: Task::Separation,
        version: sidecar.version.unwrap_or_else(|| "1".into()),
        file: FILE.into(),
        size: bytes.len() as u64,
        sha256: digest::of_bytes(bytes),
        license: sidecar.license.unwrap_or_else(|| "not said".into()),
        origin: Origin::Added,
        pin: Pin::Free,
        layout,
    })
}

/// The layout that a graph's inputs and outputs are of.
fn layout(signature: &Signature, said: &Sidecar) -> Result<Layout, String> {
    let rate = said.rate.unwrap_or(44_100);
    if !(8_000..=192_000).contains(&rate) {
        return Err(format!("{rate} Hz is no rate of a network; correct `rate` in the .toml"));
    }
    let [Port { shape: input, .. }] = signature.inputs.as_slice() else {
        return Err("it takes more than one input; export it with its transforms inside".into());
    };
    let first = signature.outputs.first().map(|port| port.shape.as_slice()).unwrap_or_default();
    match (input.as_slice(), first) {
        ([_, Some(2), Some(512), Some(1024)], _) => spleeter(signature, said),
        ([_, Some(2), Some(UNMIX_BINS), _], _) => Ok(Layout::OpenUnmix { stem: stem(said)?, rate }),
        ([_, Some(4), Some(bins), Some(frames)], _) => mdx_net(said, *bins, *frames, rate),
        ([_, Some(2), Some(length)], [_, Some(count), Some(2), _]) => {
            demucs(said, *count, *length, rate)
        }
        _ => Err(format!(
            "its input {input:?} is that of no layout known here; known are Open-Unmix [1,2,2049,frames], \
             MDX-Net [1,4,bins,frames] and Demucs [1,2,samples] to [1,stems,2,samples]"
        )),
    }
}

fn stem(said: &Sidecar) -> Result<String, String> {
    let missing = "the graph does not say which stem it gives; write `stem = \"vocals\"` into a .toml of \
                   the same name beside it";
    said.stem.clone().filter(|stem| is_name(stem)).ok_or_else(|| missing.into())
}

/// Stem names become parts of file names and of track names.
fn is_name(stem: &str) -> bool {
    (1..=30).contains(&stem.len()) && stem.bytes().all(|c| c.is_ascii_lowercase() || c == b'_')
}

fn names(said: Vec<String>, count: usize) -> Result<Vec<String>, String> {
    let mut unique = said.clone();
    unique.sort();
    unique.dedup();
    if unique.len() == count && said.len() == count && said.iter().all(|name| is_name(name)) {
        return Ok(said);
    }
    Err(format!(
        "it gives {count} stems; write `stems = […]` with {count} names of lower-case letters into a .toml \
         of the same name beside it"
    ))
}

fn spleeter(signature: &Signature, said: &Sidecar) -> Result<Layout, String> {
    let outputs = signature.outputs.iter().map(|port| port.name.clone()).collect();
    let stems = said.stems.clone().unwrap_or(outputs);
    Ok(Layout::Spleeter { stems: names(stems, signature.outputs.len())? })
}

fn mdx_net(said: &Sidecar, bins: u64, frames: u64, rate: u32) -> Result<Layout, String> {
    let missing = "the graph does not say the length of its transform; write `n_fft = 6144` (or what it was \
                   trained with) into a .toml of the same name beside it";
    let (n_fft, hop) = (said.n_fft.ok_or(missing)?, said.hop.unwrap_or(1024));
    let (bins, frames) = (bins as usize, frames as usize);
    let fits = (512..=1 << 15).contains(&n_fft)
        && n_fft.is_multiple_of(2)
        && (64..=n_fft / 4).contains(&hop)
        && (1..=n_fft / 2 + 1).contains(&bins)
        && (16..=4096).contains(&frames);
    if !fits {
        return Err(format!(
            "n_fft {n_fft}, hop {hop}, {bins} bins and {frames} frames do not fit together; correct the \
             .toml beside it"
        ));
    }
    let compensation = said.compensation.filter(|c| c.is_finite()).unwrap_or(1.0);
    let stem = stem(said)?;
    Ok(Layout::MdxNet { stem, rate, n_fft, hop, bins, frames, compensation })
}

fn demucs(said: &Sidecar, count: u64, length: u64, rate: u32) -> Result<Layout, String> {
    let (count, length) = (count.min(64) as usize, length as usize);
    if !(1024..=MOST_VALUES as usize / 2).contains(&length) {
        return Err(format!("stretches of {length} samples are not run; export it for 8 s or so"));
    }
    let usual = DEMUCS.iter().take(count).map(|name| (*name).to_owned()).collect();
    let stems = match (&said.stems, count) {
        (Some(stems), _) => stems.clone(),
        (None, 4 | 6) => usual,
        (None, _) => Vec::new(),
    };
    Ok(Layout::Demucs { stems: names(stems, count)?, rate, length })
}

/// Runs the network on silence: the output must be of the shape that its layout promises.
fn try_once(network: &dyn Network, signature: &Signature, layout: &Layout) -> Result<(), String> {
    let (input, outputs, output) = shapes(signature, layout);
    let outputs: Vec<usize> = (0..outputs).collect();
    let made =
        network.run(&[Tensor::zeros(&input)], &outputs).map_err(|error| error.to_string())?;
    match made.iter().find(|tensor| tensor.shape != output) {
        None => Ok(()),
        Some(wrong) => Err(format!(
            "it gives tensors of shape {:?}, not {output:?} as its layout has it",
            wrong.shape
        )),
    }
}

/// Shape of the input, number of outputs, and shape of each.
fn shapes(signature: &Signature, layout: &Layout) -> (Vec<usize>, usize, Vec<usize>) {
    match layout {
        Layout::Spleeter { .. } => {
            let shape = vec![1, 2, 512, 1024];
            (shape.clone(), signature.outputs.len(), shape)
        }
        Layout::OpenUnmix { .. } => {
            let fixed = signature.inputs.first().and_then(|port| *port.shape.get(3)?);
            let shape = vec![1, 2, UNMIX_BINS as usize, fixed.map_or(64, |n| n.min(512) as usize)];
            (shape.clone(), 1, shape)
        }
        Layout::MdxNet { bins, frames, .. } => {
            let shape = vec![1, 4, *bins, *frames];
            (shape.clone(), 1, shape)
        }
        Layout::Demucs { stems, length, .. } => {
            (vec![1, 2, *length], 1, vec![1, stems.len(), 2, *length])
        }
        // No file of a person's own is taken for these.
        Layout::Whisper | Layout::Silero | Layout::Resemblyzer => (Vec::new(), 0, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(input: &[Option<u64>], output: &[Option<u64>]) -> Signature {
        let port =
            |name: &str, shape: &[Option<u64>]| Port { name: name.into(), shape: shape.into() };
        Signature { inputs: vec![port("in", input)], outputs: vec![port("out", output)], nodes: 1 }
    }

    fn told(input: &[Option<u64>], output: &[Option<u64>], toml: &str) -> String {
        let said = toml::from_str(toml).unwrap();
        match layout(&signature(input, output), &said) {
            Ok(layout) => serde_json::to_string(&layout).unwrap(),
            Err(error) => error,
        }
    }

    #[test]
    fn layouts_are_read_from_the_graph_and_the_rest_is_asked_for() {
        let any = None;
        let unmix = [Some(1), Some(2), Some(2049), any];
        assert_eq!(
            told(&unmix, &unmix, "stem = \"vocals\""),
            r#"{"kind":"open_unmix","stem":"vocals","rate":44100}"#
        );
        assert!(told(&unmix, &unmix, "").contains("write `stem = \"vocals\"`"));
        let mdx = [any, Some(4), Some(2048), Some(256)];
        assert_eq!(
            told(&mdx, &mdx, "stem = \"vocals\"\nn_fft = 6144\ncompensation = 1.035"),
            r#"{"kind":"mdx_net","stem":"vocals","rate":44100,"n_fft":6144,"hop":1024,"bins":2048,"frames":256,"compensation":1.035}"#
        );
        assert!(told(&mdx, &mdx, "stem = \"vocals\"").contains("write `n_fft = 6144`"));
        assert!(told(&mdx, &mdx, "stem = \"vocals\"\nn_fft = 600").contains("do not fit together"));
        let (mix, stems) = ([Some(1), Some(2), Some(343_980)], [Some(1), Some(4), Some(2), any]);
        assert_eq!(
            told(&mix, &stems, ""),
            r#"{"kind":"demucs","stems":["drums","bass","other","vocals"],"rate":44100,"length":343980}"#
        );
        let three = [Some(1), Some(3), Some(2), any];
        assert!(told(&mix, &three, "").contains("it gives 3 stems; write `stems"));
        assert!(told(&mix, &stems, "stems = [\"../a\", \"b\", \"c\", \"d\"]").contains("4 names"));
        assert!(told(&[any, any], &stems, "").contains("no layout known here"));
    }
}
