//! Tests of the models of the preferences, with another program in the place of the one that fetches.

use super::*;

#[test]
fn every_model_says_how_large_it_is_and_under_which_license() {
    let offers = offers();
    assert!(offers.len() >= catalog().len());
    for offer in offers {
        assert!(!offer.title.is_empty() && !offer.license.is_empty(), "{offer:?}");
        assert!(offer.size > 0, "{offer:?}");
    }
    let refused = install("nothing", &mut |_| ControlFlow::Continue(()));
    assert!(refused.unwrap_err().contains("catalog"));
}

#[cfg(unix)]
mod fetched {
    use super::super::*;
    use crossbeam_channel::unbounded;
    use deskhand_inference::{Conversion, Layout, Member, Package, Task};
    use std::env;
    use std::fs::{self, File};
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::Command;

    /// Gives the file to download to the test in the child process.
    const WHEEL: &str = "DESKHAND_TEST_WHEEL";

    /// Fetches the wheel, or half of something and then nothing more.
    const PYTHON: &str = "#!/bin/sh
while [ \"$1\" != --dest ]; do shift; done
case $3 in
slow*) echo half > \"$2/half\"; exec sleep 600 ;;
*) cp \"$DESKHAND_TEST_WHEEL\" \"$2/small.whl\" ;;
esac
";

    const MODEL: &[u8] = b"a model";
    const SHA256: &str = "97ff8a35544dcf40ad84047074439dd6aa3a0be469ea578a1b1c017d939ec61c";
    const OTHER: &str = "0000000000000000000000000000000000000000000000000000000000000000";

    /// A card whose one file is fetched with a package of that name, and has that hash.
    fn card(name: &'static str, sha256: &'static str) -> Card {
        let members = vec![Member { path: "small/model.bin", size: 7, sha256 }].leak();
        let package = Package { name, version: "1.0", download: 5_000_000, members };
        Card {
            id: "small",
            title: "Small",
            task: Task::VoiceActivity,
            version: "1",
            file: "small.onnx",
            size: 7,
            sha256: SHA256,
            license: "MIT",
            license_text: "free",
            packages: vec![package].leak(),
            conversion: Conversion::Plain,
            layout: Layout::Whisper,
            quality: "",
            memory: 0,
        }
    }

    fn write_wheel(file: &Path) {
        let mut wheel = zip::ZipWriter::new(File::create(file).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        wheel.start_file("small/model.bin", options).unwrap();
        wheel.write_all(MODEL).unwrap();
        wheel.finish().unwrap();
    }

    /// The program that fetches is found by the environment, so the test runs in a process of its own.
    #[test]
    fn an_install_is_told_step_by_step_and_one_that_fails_or_is_stopped_leaves_nothing() {
        let tmp = tempfile::tempdir().unwrap();
        let (python, wheel) = (tmp.path().join("python3"), tmp.path().join("small.whl"));
        fs::write(&python, PYTHON).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        write_wheel(&wheel);
        let path = env::join_paths([tmp.path(), Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["models::tests::fetched::child", "--exact", "--nocapture"]);
        command.env("PATH", path).env("DESKHAND_MODELS", tmp.path().join("models"));
        let child = command.env(WHEEL, wheel).output().unwrap();
        let said = [child.stdout, child.stderr].concat();
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&said));
    }

    /// The test itself; in any other process it has nothing to do.
    #[test]
    fn child() {
        if env::var_os(WHEEL).is_none() {
            return;
        }
        let library = Library::of_this_user().unwrap();
        let (steps, refused) = told(&library, card("small", OTHER), |_, _| {});
        assert_eq!(steps, ["downloading", "checking"]);
        let refused = refused.unwrap_err();
        assert!(refused.contains("small 1.0 is not the one that was pinned"), "{refused}");
        assert!(refused.contains(SHA256) && refused.contains("update Deskhand"), "{refused}");
        assert_eq!(left_in(&library), 0);
        let stop = |install: &Install, step: &str| {
            if step.starts_with("downloading: ") {
                install.stop();
            }
        };
        let (steps, stopped) = told(&library, card("slow", SHA256), stop);
        assert_eq!(steps, ["downloading"]);
        assert_eq!(stopped, Err("installing small was stopped; nothing was installed".into()));
        assert_eq!(left_in(&library), 0);
        let (steps, done) = told(&library, card("small", SHA256), |_, _| {});
        assert_eq!(steps, ["downloading", "checking", "converting"]);
        assert_eq!(done, Ok(None));
        assert_eq!(fs::read(library.find("small").unwrap().path).unwrap(), MODEL);
    }

    /// The kinds of steps that an install reports, and how it ends. `at` gets each step as it comes.
    fn told(library: &Library, card: Card, at: impl Fn(&Install, &str)) -> (Vec<String>, Said) {
        let (sender, heard) = unbounded();
        let library = library.clone();
        let tell = move |said| sender.send(said).unwrap();
        let install = Install::begin(move |told| keep(&library, &card, told), tell).unwrap();
        let (mut steps, mut end) = (Vec::new(), Err("nothing was told".to_owned()));
        for said in heard {
            match said {
                Ok(Some(step)) => {
                    at(&install, &step);
                    steps.push(step.split(':').next().unwrap_or_default().to_owned());
                }
                Ok(None) | Err(_) => end = said,
            }
        }
        steps.dedup();
        (steps, end)
    }

    /// How much there is in the folder for models.
    fn left_in(library: &Library) -> usize {
        fs::read_dir(library.folder()).unwrap().count()
    }
}
