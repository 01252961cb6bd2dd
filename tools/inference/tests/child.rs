//! A person's own model runs in a child with limits, and a harmful one ends there.
//!
//! This test has its own `main`: it starts itself as the child.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use deskhand_inference::{Layout, Library, Tensor, add, child};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = child::run_if_asked() {
        return code;
    }
    let dir = tempfile::tempdir().unwrap();
    let library = Library::at(dir.path().join("models"), 1 << 30);
    a_model_of_ones_own_is_added_and_runs(&library, dir.path());
    four_stems_in_one_file_are_added_and_run(dir.path());
    damaged_files_are_refused_in_one_line(&library, dir.path());
    what_does_harm_when_it_runs_ends_in_the_child(&library, dir.path());
    assert_eq!(library.installed().len(), 1, "only the good one was kept");
    assert_eq!(fs::read_dir(library.folder()).unwrap().count(), 1, "nothing is left behind");
    println!("child: ok");
    ExitCode::SUCCESS
}

/// A protocol-buffer field of bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [vec![number << 3 | 2], varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn number(field: u8, value: u64) -> Vec<u8> {
    [vec![field << 3], varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn port(name: &str, shape: &[u64]) -> Vec<u8> {
    let dims: Vec<u8> = shape.iter().flat_map(|size| field(1, &number(1, *size))).collect();
    let tensor = [number(1, 1), field(2, &dims)].concat();
    [field(1, name.as_bytes()), field(2, &field(1, &tensor))].concat()
}

fn floats(name: &str, values: &[f32]) -> Vec<u8> {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let dims = number(1, values.len() as u64);
    [dims, number(2, 1), field(8, name.as_bytes()), field(9, &raw)].concat()
}

fn integers(name: &str, values: &[i64]) -> Vec<u8> {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let dims = number(1, values.len() as u64);
    [dims, number(2, 7), field(8, name.as_bytes()), field(9, &raw)].concat()
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Vec<u8> {
    let mut node: Vec<u8> = inputs.iter().flat_map(|name| field(1, name.as_bytes())).collect();
    node.extend(field(2, output.as_bytes()));
    node.extend(field(4, operator.as_bytes()));
    node
}

/// A file with the layout of Open-Unmix: `nodes` from `x` to `y`, `weights` as they are.
fn unmix(nodes: &[Vec<u8>], weights: &[Vec<u8>]) -> Vec<u8> {
    let mut graph: Vec<u8> = nodes.iter().flat_map(|node| field(1, node)).collect();
    graph.extend(field(2, b"g"));
    graph.extend(weights.iter().flat_map(|weight| field(5, weight)));
    graph.extend(field(11, &port("x", &[1, 2, 2049, 64])));
    graph.extend(field(12, &port("y", &[1, 2, 2049, 64])));
    [number(1, 8), field(7, &graph), field(8, &[field(1, b""), number(2, 17)].concat())].concat()
}

fn half() -> Vec<u8> {
    unmix(&[node("Mul", &["x", "k"], "y")], &[floats("k", &[0.5])])
}

fn file(dir: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(format!("{name}.onnx"));
    fs::write(&path, bytes).unwrap();
    fs::write(path.with_extension("toml"), "stem = \"vocals\"\nlicense = \"mine\"\n").unwrap();
    path
}

fn refused(library: &Library, path: &Path) -> String {
    let error = add(library, path).unwrap_err().to_string();
    assert!(!error.contains('\n'), "one line: {error}");
    error
}

fn a_model_of_ones_own_is_added_and_runs(library: &Library, dir: &Path) {
    let added = add(library, &file(dir, "half", &half())).unwrap();
    assert_eq!(added.record.license, "mine");
    assert_eq!(added.record.layout, Layout::OpenUnmix { stem: "vocals".into(), rate: 44_100 });
    library.verify("half").unwrap();
    let network = library.load("half").unwrap();
    let mut input = Tensor::zeros(&[1, 2, 2049, 64]);
    input.data.iter_mut().enumerate().for_each(|(n, value)| *value = n as f32);
    for _ in 0..2 {
        let output = network.run(std::slice::from_ref(&input), &[0]).unwrap();
        let halved = output[0].data.iter().zip(&input.data).all(|(out, from)| *out == from / 2.0);
        assert!(halved && output[0].shape == input.shape);
    }
    let wrong = network.run(&[Tensor::zeros(&[1, 2, 7, 64])], &[9]).unwrap_err().to_string();
    assert!(wrong.starts_with("the model failed"), "{wrong}");
    network.run(&[input], &[0]).unwrap();
}

/// Open-Unmix with an output a stem: shares of the mix.
fn four_stems_in_one_file_are_added_and_run(dir: &Path) {
    let library = Library::at(dir.join("together"), 1 << 30);
    let stems = ["vocals", "drums", "bass", "other"];
    let shares = [0.4, 0.3, 0.2, 0.1];
    let shape = [1, 2, 2049, 64];
    let mut graph = Vec::new();
    for (stem, share) in stems.iter().zip(shares) {
        let weight = format!("share of {stem}");
        graph.extend(field(1, &node("Mul", &["x", &weight], stem)));
        graph.extend(field(5, &floats(&weight, &[share])));
    }
    graph.extend(field(2, b"g"));
    graph.extend(field(11, &port("x", &shape)));
    stems.iter().for_each(|stem| graph.extend(field(12, &port(stem, &shape))));
    let operators = [field(1, b""), number(2, 17)].concat();
    let model = [number(1, 8), field(7, &graph), field(8, &operators)].concat();
    let path = dir.join("umx4.onnx");
    fs::write(&path, model).unwrap();
    let added = add(&library, &path).unwrap();
    assert_eq!(added.record.layout.stems(), stems);
    let network = library.load("umx4").unwrap();
    let mut input = Tensor::zeros(&[1, 2, 2049, 64]);
    input.data.fill(2.0);
    let outputs = network.run(&[input], &[0, 1, 2, 3]).unwrap();
    for (output, share) in outputs.iter().zip(shares) {
        assert!(output.data.iter().all(|value| (value - 2.0 * share).abs() < 1e-6));
    }
    assert_eq!(outputs.len(), 4);
}

fn damaged_files_are_refused_in_one_line(library: &Library, dir: &Path) {
    let whole = half();
    let cut = file(dir, "cut", &whole[..whole.len() / 2]);
    assert!(refused(library, &cut).contains("no whole ONNX file"), "{}", refused(library, &cut));
    let text = file(dir, "text", &b"this is no model\n".repeat(100));
    assert!(refused(library, &text).contains("no whole ONNX file"));
    let huge = [number(1, 1 << 40), number(1, 1 << 20), number(2, 1), field(8, b"k")].concat();
    let huge = file(dir, "huge", &unmix(&[node("Mul", &["x", "k"], "y")], &[huge]));
    assert!(refused(library, &huge).contains("made to do harm"));
    let elsewhere = [field(1, b"location"), field(2, b"/etc/passwd")].concat();
    let elsewhere = [number(1, 1), number(2, 1), field(8, b"k"), field(13, &elsewhere)].concat();
    let elsewhere = [elsewhere, number(14, 1)].concat();
    let elsewhere = file(dir, "else", &unmix(&[node("Mul", &["x", "k"], "y")], &[elsewhere]));
    assert!(refused(library, &elsewhere).contains("export it as one file"));
    let unknown = file(dir, "unknown", &unmix(&[node("Paint", &["x"], "y")], &[]));
    assert!(refused(library, &unknown).contains("it was not kept"));
    for bit in 0..whole.len() * 8 {
        // Every single bit of a small model: refused, or it still runs; and never anything else.
        if bit % 7 != 0 {
            continue;
        }
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let path = file(dir, "flipped", &flipped);
        match add(library, &path) {
            Ok(_) => drop(library.remove("flipped").unwrap()),
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}

fn what_does_harm_when_it_runs_ends_in_the_child(library: &Library, dir: &Path) {
    // A small file that asks for 4 TB when it runs.
    let shape = integers("s", &[1 << 20, 1 << 20]);
    let nodes = [
        node("ConstantOfShape", &["s"], "big"),
        node("ReduceMax", &["big"], "m"),
        node("Add", &["x", "m"], "y"),
    ];
    let bomb = file(dir, "bomb", &unmix(&nodes, &[shape]));
    let error = refused(library, &bomb);
    assert!(error.contains("it was not kept"), "{error}");
    println!("bomb: {error}");
}
