//! Adding a person's own model: an ONNX file, and a TOML file next to it for facts that the graph lacks; or
//! a Whisper folder.

use crate::card::{Origin, Pin, Record, Task};
use crate::child::Remote;
use crate::digest;
use crate::error::{InstallError, LibraryError};
use crate::inspect::{Port, Signature, look};
use crate::layout::{Layout, StemsIn};
use crate::library::{Installed, Library};
use crate::network::{Network, Tensor};
use crate::whisper;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// The largest file that is added, in bytes.
const LARGEST: u64 = 2_000_000_000;
const FILE: &str = "model.onnx";
const UNMIX_BINS: u64 = 2049;
/// Stems of Demucs by their number, in its order.
const DEMUCS: [&str; 6] = ["drums", "bass", "other", "vocals", "guitar", "piano"];
/// Values of one input at most, so that trying a model costs little.
const MOST_VALUES: u64 = 1 << 26;

/// A person's description of a model: `NAME.toml` next to `NAME.onnx`.
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
/// silence, and keeps a copy. The id is the file's name unless the sidecar gives one. A folder is taken for a
/// Whisper model of CTranslate2, whose id is the folder's name.
///
/// # Errors
/// When it is no separation network and no Whisper model that runs here; nothing is kept.
pub fn add(library: &Library, file: &Path) -> Result<Installed, InstallError> {
    let refused = |problem: String| InstallError::File { file: format!("{file:?}"), problem };
    if file.is_dir() {
        // The current folder is called "." but has a name all the same.
        let folder = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let id = plain_id(&name(&folder).to_lowercase()).map_err(refused)?;
        return whisper::add(library, file, id);
    }
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
    // Check the file type before opening: opening a pipe would block.
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(format!("{path:?} next to it is no file; move it away"));
    }
    match fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text).map_err(|error| {
            let text = error.message().replace('\n', " ");
            format!("{path:?} next to it is not understood: {text}; correct it")
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Sidecar::default()),
        Err(error) => Err(format!("{path:?} next to it cannot be read ({error}); check it")),
    }
}

fn record(file: &Path, bytes: &[u8], sidecar: Sidecar, layout: Layout) -> Result<Record, String> {
    let stem = name(file);
    let id = sidecar.id.unwrap_or_else(|| stem.to_lowercase());
    let id = plain_id(&id).map_err(|why| format!("{why}; set `id` in the .toml next to it"))?;
    Ok(Record {
        title: sidecar.title.unwrap_or_else(|| stem.into()),
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

/// What a file or folder is called, without its ending.
fn name(path: &Path) -> &str {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.and_then(|name| name.to_str()).unwrap_or_default()
}

/// What a model may be called.
fn plain_id(id: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    let fits = (1..=60).contains(&id.len()) && !id.starts_with('.') && id.chars().all(is_plain);
    match (fits, crate::catalog::card(id)) {
        (true, None) => Ok(id.to_owned()),
        (true, Some(_)) => Err(format!("{id} is a model of the catalog, and needs another name")),
        (false, _) => {
            Err(format!("{id:?} is no id: one has up to 60 lower-case letters, digits, - and _"))
        }
    }
}

/// The layout that a graph's inputs and outputs are of.
fn layout(signature: &Signature, said: &Sidecar) -> Result<Layout, String> {
    let rate = said.rate.unwrap_or(44_100);
    if !(8_000..=192_000).contains(&rate) {
        return Err(format!("{rate} Hz is no rate of a network; correct `rate` in the .toml"));
    }
    let [Port { shape: input, .. }] = signature.inputs.as_slice() else {
        return hybrid(signature, said, rate);
    };
    let first = signature.outputs.first().map(|port| port.shape.as_slice()).unwrap_or_default();
    match (input.as_slice(), first) {
        ([_, Some(2), Some(512), Some(1024)], _) => spleeter(signature, said),
        ([_, Some(2), Some(UNMIX_BINS), _], _) => open_unmix(signature, said, rate),
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
                   the same name next to it";
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
         of the same name next to it"
    ))
}

fn spleeter(signature: &Signature, said: &Sidecar) -> Result<Layout, String> {
    let outputs = signature.outputs.iter().map(|port| port.name.clone()).collect();
    let stems = said.stems.clone().unwrap_or(outputs);
    Ok(Layout::Spleeter { stems: names(stems, signature.outputs.len())? })
}

/// One stem, or several: an output each, or all in one.
fn open_unmix(signature: &Signature, said: &Sidecar, rate: u32) -> Result<Layout, String> {
    let (count, stems_in) = match signature.outputs.as_slice() {
        [one] => match one.shape.as_slice() {
            [_, Some(count), Some(2), ..] if one.shape.len() == 5 => (*count, StemsIn::Front),
            [_, Some(2), _, _, Some(count)] => (*count, StemsIn::Back),
            _ => return Ok(Layout::OpenUnmix { stem: stem(said)?, rate }),
        },
        several => (several.len() as u64, StemsIn::Outputs),
    };
    let count = count.min(64) as usize;
    let outputs = signature.outputs.iter().map(|port| port.name.to_lowercase()).collect();
    let stems = match (&said.stems, stems_in) {
        (Some(stems), _) => stems.clone(),
        // Names such as "vocals" say it; "output_0" is refused below, for nobody would know the stem.
        (None, StemsIn::Outputs) => outputs,
        (None, StemsIn::Front | StemsIn::Back) => Vec::new(),
    };
    Ok(Layout::OpenUnmixTogether { stems: names(stems, count)?, rate, stems_in })
}

fn mdx_net(said: &Sidecar, bins: u64, frames: u64, rate: u32) -> Result<Layout, String> {
    let missing = "the graph does not say the length of its transform; write `n_fft = 6144` (or what it was \
                   trained with) into a .toml of the same name next to it";
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
             .toml next to it"
        ));
    }
    let compensation = said.compensation.filter(|c| c.is_finite()).unwrap_or(1.0);
    let stem = stem(said)?;
    Ok(Layout::MdxNet { stem, rate, n_fft, hop, bins, frames, compensation })
}

/// Demucs with samples and spectra, in either order.
fn hybrid(signature: &Signature, said: &Sidecar, rate: u32) -> Result<Layout, String> {
    let unknown = || {
        let shapes: Vec<_> = signature.inputs.iter().map(|port| &port.shape).collect();
        format!(
            "its inputs {shapes:?} are those of no layout known here; known is Demucs with [1,2,samples] and \
             [1,4,2048,frames]; else export it with its transforms inside"
        )
    };
    let is_spectra = |port: &Port| port.shape.get(1) == Some(&Some(4)) && port.shape.len() == 4;
    let samples = |ports: &[Port], dimensions| {
        ports.iter().position(|port| port.shape.len() == dimensions).filter(|_| ports.len() == 2)
    };
    let samples_in = samples(&signature.inputs, 3).ok_or_else(unknown)?;
    let samples_out = samples(&signature.outputs, 4).ok_or_else(unknown)?;
    let given = signature.inputs.get(samples_in).map(|port| port.shape.as_slice());
    let made = signature.outputs.get(samples_out).map(|port| port.shape.as_slice());
    let (Some([_, Some(2), Some(length)]), Some([_, Some(count), _, _])) = (given, made) else {
        return Err(unknown());
    };
    if !signature.inputs.iter().any(is_spectra) {
        return Err(unknown());
    }
    match demucs(said, *count, *length, rate)? {
        Layout::Demucs { stems, rate, length } => {
            Ok(Layout::HybridDemucs { stems, rate, length, samples_in, samples_out })
        }
        other => Ok(other),
    }
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
    let (inputs, promised) = shapes(signature, layout);
    let inputs: Vec<Tensor> = inputs.iter().map(|shape| Tensor::zeros(shape)).collect();
    let outputs: Vec<usize> = (0..promised.len()).collect();
    let made = network.run(&inputs, &outputs).map_err(|error| error.to_string())?;
    match made.iter().zip(&promised).find(|(tensor, shape)| tensor.shape != **shape) {
        None => Ok(()),
        Some((wrong, shape)) => Err(format!(
            "it gives tensors of shape {:?}, not {shape:?} as its layout has it",
            wrong.shape
        )),
    }
}

/// Shapes of the inputs and of the outputs.
fn shapes(signature: &Signature, layout: &Layout) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let same = |shape: Vec<usize>, outputs| (vec![shape.clone()], vec![shape; outputs]);
    match layout {
        Layout::Spleeter { .. } => same(vec![1, 2, 512, 1024], signature.outputs.len()),
        Layout::OpenUnmix { .. } => {
            same(vec![1, 2, UNMIX_BINS as usize, unmix_frames(signature)], 1)
        }
        Layout::OpenUnmixTogether { stems, stems_in, .. } => {
            let (bins, frames, stems) = (UNMIX_BINS as usize, unmix_frames(signature), stems.len());
            let given = vec![1, 2, bins, frames];
            match stems_in {
                StemsIn::Outputs => same(given, stems),
                StemsIn::Front => (vec![given], vec![vec![1, stems, 2, bins, frames]]),
                StemsIn::Back => (vec![given], vec![vec![1, 2, bins, frames, stems]]),
            }
        }
        Layout::MdxNet { bins, frames, .. } => same(vec![1, 4, *bins, *frames], 1),
        Layout::Demucs { stems, length, .. } => {
            (vec![vec![1, 2, *length]], vec![vec![1, stems.len(), 2, *length]])
        }
        Layout::HybridDemucs { stems, length, samples_in, samples_out, .. } => {
            let frames = length.div_ceil(1024);
            let (mut given, mut made) =
                (vec![vec![1, 4, 2048, frames]], vec![vec![1, stems.len(), 4, 2048, frames]]);
            given.insert((*samples_in).min(1), vec![1, 2, *length]);
            made.insert((*samples_out).min(1), vec![1, stems.len(), 2, *length]);
            (given, made)
        }
        // No file of a person's own is taken for these.
        Layout::Whisper | Layout::Silero | Layout::Resemblyzer | Layout::Meaning => {
            (Vec::new(), Vec::new())
        }
    }
}

/// Frames that Open-Unmix is tried on.
fn unmix_frames(signature: &Signature) -> usize {
    let fixed = signature.inputs.first().and_then(|port| *port.shape.get(3)?);
    fixed.map_or(64, |n| n.min(512) as usize)
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

    #[cfg(unix)]
    #[test]
    fn a_pipe_beside_a_network_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("net.toml");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let told = sidecar(&dir.path().join("net.onnx")).map(drop).unwrap_err();
        assert!(told.ends_with("net.toml\" next to it is no file; move it away"), "{told}");
    }

    #[test]
    fn stems_that_are_stacked_need_their_names() {
        let any = None;
        let unmix = [Some(1), Some(2), Some(2049), any];
        let (front, back) = (
            [Some(1), Some(4), Some(2), Some(2049), any],
            [Some(1), Some(2), Some(2049), any, Some(4)],
        );
        let four = "stems = [\"vocals\", \"drums\", \"bass\", \"other\"]";
        for (output, place) in [(front, "front"), (back, "back")] {
            assert_eq!(
                told(&unmix, &output, four),
                format!(
                    r#"{{"kind":"open_unmix_together","stems":["vocals","drums","bass","other"],"rate":44100,"stems_in":"{place}"}}"#
                )
            );
            assert!(told(&unmix, &output, "").contains("it gives 4 stems; write `stems = […]`"));
        }
    }

    #[test]
    fn outputs_that_are_named_are_stems() {
        let shape = vec![Some(1), Some(2), Some(2049), None];
        let port = |name: &str| Port { name: name.into(), shape: shape.clone() };
        let of = |outputs: &[&str]| {
            let outputs = outputs.iter().map(|name| port(name)).collect();
            let signature = Signature { inputs: vec![port("mix")], outputs, nodes: 1 };
            layout(&signature, &Sidecar::default())
        };
        let stems = ["vocals", "drums", "bass", "other"].map(String::from).to_vec();
        let stems_in = StemsIn::Outputs;
        let layout = Layout::OpenUnmixTogether { stems, rate: 44_100, stems_in };
        assert_eq!(of(&["Vocals", "Drums", "Bass", "Other"]), Ok(layout));
        let unnamed = of(&["out.1", "out.2"]).unwrap_err();
        assert!(unnamed.contains("it gives 2 stems; write `stems = […]`"), "{unnamed}");
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
        let port = |shape: &[Option<u64>]| Port { name: "p".into(), shape: shape.into() };
        let (spectra, made) =
            ([Some(1), Some(4), Some(2048), Some(336)], [Some(1), Some(4), Some(4), any, any]);
        let hybrid = Signature {
            inputs: vec![port(&spectra), port(&mix)],
            outputs: vec![port(&stems), port(&made)],
            nodes: 1,
        };
        assert_eq!(
            serde_json::to_string(&layout(&hybrid, &Sidecar::default()).unwrap()).unwrap(),
            r#"{"kind":"hybrid_demucs","stems":["drums","bass","other","vocals"],"rate":44100,"length":343980,"samples_in":1,"samples_out":0}"#
        );
        let two = Signature { inputs: vec![port(&mix), port(&mix)], ..hybrid };
        let refused = layout(&two, &Sidecar::default()).unwrap_err();
        assert!(refused.contains("no layout known here"), "{refused}");
        let three = [Some(1), Some(3), Some(2), any];
        assert!(told(&mix, &three, "").contains("it gives 3 stems; write `stems"));
        assert!(told(&mix, &stems, "stems = [\"../a\", \"b\", \"c\", \"d\"]").contains("4 names"));
        assert!(told(&[any, any], &stems, "").contains("no layout known here"));
    }
}
