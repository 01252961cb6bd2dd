//! Media is checked in the background; the person learns what is wrong with it.

use crate::sound::{session, shared};
use deskhand_bridge::{Bridge, Parts};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, Opener, WavWriter};
use deskhand_protocol::News;
use deskhand_session::{Media, Session, Source, SourceId};
use deskhand_store::Store;
use deskhand_toolkit::{Pool, Registry};
use std::path::Path;
use std::sync::Arc;

/// A file that is conformed, with `broken` samples that are no numbers.
fn with_file(path: &Path, broken: usize) -> Session {
    let mut samples = vec![0.25f32; 44_100];
    samples[1000..1000 + broken].fill(f32::NAN);
    let mut writer = WavWriter::create(path, SampleRate(44_100), 1, BitDepth::F32).unwrap();
    writer.write(&[&samples]).unwrap();
    writer.finish().unwrap();
    let mut session = session();
    let source = Source {
        name: "Talk".into(),
        path: path.to_str().unwrap().into(),
        size: path.metadata().unwrap().len(),
        rate: SampleRate(44_100),
        frames: Frames(48_000),
        media: Media::Conformed("media/talk.wav".into()),
        ..session.sources.values().next().unwrap().clone()
    };
    session.sources.insert(SourceId::new(9), source);
    session
}

/// What a person hears while all media is looked after.
fn heard(session: &Session, folder: &Path) -> Vec<News> {
    let (store, loaded) = Store::create(folder, session).unwrap();
    let (sound, cache) = shared();
    let parts = Parts {
        registry: Registry::default(),
        pool: Pool::new(1),
        audio: Arc::clone(&sound) as _,
        cache: cache as _,
        opener: Opener::in_process(),
        folder: store.dir().to_owned(),
        renderer: Arc::clone(&sound) as _,
        opened: Vec::new(),
    };
    let mut bridge = Bridge::new(store, loaded, parts);
    let person = bridge.connect_person();
    while bridge.conforming() > 0 {
        bridge.pump_next();
    }
    assert!(folder.join("media/talk.wav").is_file());
    person.events().map(|event| event.news).collect()
}

#[test]
fn what_was_silenced_while_conforming_is_told_once() {
    let tmp = tempfile::tempdir().unwrap();
    let path = tmp.path().join("talk.wav");
    let session = with_file(&path, 3);
    let told: Vec<String> = heard(&session, &tmp.path().join("s"))
        .into_iter()
        .filter_map(|news| match news {
            News::Notice { notice } => Some(notice.message),
            _ => None,
        })
        .collect();
    let expected = "\"Talk\": 3 samples were no numbers and count as silence; copy or export the \
                    file again, and import that";
    assert_eq!(told, [expected]);
}

#[test]
fn sound_media_is_no_news() {
    let tmp = tempfile::tempdir().unwrap();
    let session = with_file(&tmp.path().join("talk.wav"), 0);
    let news = heard(&session, &tmp.path().join("s"));
    assert!(!news.iter().any(|news| matches!(news, News::Notice { .. })), "{news:?}");
    let fine = News::Media { source: SourceId::new(9), failed: None };
    assert!(news.contains(&fine), "{news:?}");
}
