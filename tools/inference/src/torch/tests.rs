//! Checkpoints that are whole, cut off, changed, or made to do harm.

use super::*;
use proptest::prelude::*;

/// A checkpoint with one tensor `[2, 3]` after one value of its storage, as PyTorch writes it.
fn checkpoint() -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend(b"\x80\x02M\xe9\x03.");
    file.extend(b"\x80\x02}q\x00X\x0d\x00\x00\x00little_endianq\x01\x88s.");
    file.extend(b"\x80\x02}q\x00(X\x04\x00\x00\x00stepK\x07X\x05\x00\x00\x00modelq\x01");
    file.extend(b"ccollections\nOrderedDict\nq\x02)Rq\x03(X\x01\x00\x00\x00wq\x04");
    file.extend(b"ctorch._utils\n_rebuild_tensor_v2\nq\x05((X\x07\x00\x00\x00storageq\x06");
    file.extend(
        b"ctorch\nFloatStorage\nq\x07X\x01\x00\x00\x009q\x08X\x03\x00\x00\x00cpuq\x09K\x07Nt",
    );
    file.extend(b"QK\x01K\x02K\x03\x86K\x03K\x01\x86\x89h\x02)RtRuu.");
    file.extend(b"\x80\x02]q\x00X\x01\x00\x00\x009q\x01a.");
    file.extend(7i64.to_le_bytes());
    file.extend((0..7).flat_map(|value| (value as f32).to_le_bytes()));
    file
}

fn read(file: Vec<u8>) -> Result<Vec<f32>, String> {
    let read = Checkpoint::parse(file, "model").and_then(|read| read.tensor("w", &[2, 3]));
    read.map_err(|error| error.to_string())
}

#[test]
fn a_tensor_is_read_from_its_place_in_the_storage() {
    assert_eq!(read(checkpoint()).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let whole = Checkpoint::parse(checkpoint(), "model").unwrap();
    let error = whole.tensor("w", &[3, 2]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the PyTorch file has no tensor \"w\" of shape [3, 2]; another version is needed"
    );
}

#[test]
fn nothing_is_run() {
    let mut file = MAGIC.to_vec();
    file.extend(b"\x80\x02cposix\nsystem\nX\x05\x00\x00\x00touch\x85R.");
    let error = read(file).unwrap_err();
    assert_eq!(
        error,
        "the PyTorch file asks for \"posix\".\"system\", and only tensors are read, nothing of it is run; it \
         is made by something else or to do harm"
    );
    for code in *b"iodlI0VB\x81\x82\x92\x93\x97" {
        let mut file = MAGIC.to_vec();
        file.extend([0x80, 2, code]);
        let error = read(file).unwrap_err();
        assert!(error.contains("asks for the instruction"), "{code}: {error}");
    }
}

#[test]
fn depth_and_repetition_are_bounded() {
    let mut deep = MAGIC.to_vec();
    deep.extend(b"\x80\x02)");
    deep.extend([0x85; 100_000]);
    assert!(read(deep).unwrap_err().contains("too deep"));
    let mut tables = MAGIC.to_vec();
    tables.extend(b"\x80\x02");
    tables.extend([b']'; 1000]);
    tables.extend([b'a'; 999]);
    assert!(read(tables).unwrap_err().contains("too deep"));
    let mut doubled = MAGIC.to_vec();
    doubled.extend(b"\x80\x02]q\x00h\x00a.");
    assert!(read(doubled).unwrap_err().contains("make no sense"), "a list is never repeated");
}

#[test]
fn every_cut_is_refused_in_one_line() {
    let whole = checkpoint();
    for length in 0..whole.len() {
        let error = read(whole[..length].to_vec()).unwrap_err();
        assert!(!error.contains('\n') && error.len() < 300, "{length}: {error}");
    }
    assert!(read([whole, vec![0]].concat()).unwrap_err().contains("bytes after the end"));
}

proptest! {
    #[test]
    fn flipped_bits_give_an_error_or_a_tensor_of_that_shape(at in 0usize..400, bit in 0u8..8) {
        let mut file = checkpoint();
        let at = at % file.len();
        file[at] ^= 1 << bit;
        match read(file) {
            Ok(values) => prop_assert_eq!(values.len(), 6),
            Err(error) => prop_assert!(!error.contains('\n') && error.len() < 700, "{}", error),
        }
    }
}
