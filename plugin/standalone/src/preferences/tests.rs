//! Tests of what the preferences gather for the views.

use super::*;

fn preferences(devices: &[(&str, &str)]) -> Preferences {
    let devices = devices.iter();
    let devices = devices.map(|(id, name)| DeviceName { id: (*id).into(), name: (*name).into() });
    let ((jobs, _), (sounds, _)) = (unbounded(), unbounded());
    let (told, found) = unbounded();
    Preferences {
        jobs,
        sounds,
        told,
        found,
        wake: Arc::new(|| {}),
        devices: devices.collect(),
        offers: Offers::default(),
        known: Providers::default(),
        tested: BTreeMap::new(),
        models: Vec::new(),
        installing: BTreeMap::new(),
        installs: BTreeMap::new(),
        keeping: None,
        dir: None,
        strangers: Vec::new(),
    }
}

#[test]
fn devices_of_one_name_are_told_apart_and_an_absent_one_stays_chosen() {
    let preferences = preferences(&[("a:1", "Card"), ("a:2", "Card"), ("j", "JACK")]);
    let mut kept = Kept::default();
    kept.sound.device = Some("a:2".into());
    let settings = preferences.settings(&kept);
    assert_eq!(settings.devices, ["Card a:1", "Card a:2", "JACK"]);
    assert_eq!(settings.device.as_deref(), Some("Card a:2"));
    assert_eq!(preferences.device("Card a:1"), "a:1");
    assert_eq!(preferences.device("JACK"), "j");
    kept.sound.device = Some("a:9".into());
    let settings = preferences.settings(&kept);
    assert_eq!((settings.devices[3].as_str(), settings.device.as_deref()), ("a:9", Some("a:9")));
    assert_eq!(preferences.device("a:9"), "a:9");
}

#[test]
fn what_cannot_be_carried_out_is_not_offered() {
    let settings = preferences(&[]).settings(&Kept::default());
    let presets = Some(Vec::new());
    assert_eq!(settings, Settings { takes_servers: true, presets, ..Settings::default() });
}

#[test]
fn what_a_test_said_stands_at_its_provider() {
    let mut preferences = preferences(&[]);
    let (id, model) = ("here".to_owned(), "small".to_owned());
    let known = manage::Offer { id, model, is_local: true, needs_key: false, has_key: false };
    let known = Providers { providers: vec![known], default: Some("here".into()) };
    preferences.told.send(Found::Providers(Ok(known))).unwrap();
    let (said, models) = ("It answers.".to_owned(), vec!["large".to_owned()]);
    let tested = Tested { said, answers: true, models };
    preferences.told.send(Found::Tested { provider: "here".into(), tested }).unwrap();
    assert_eq!(preferences.look(), (true, None));
    let settings = preferences.settings(&Kept::default());
    assert_eq!(settings.providers[0].tested, "It answers.");
    assert_eq!(settings.providers[0].models, ["large"]);
    assert_eq!(settings.provider.as_deref(), Some("here"));
}

#[test]
fn what_is_said_of_a_model_stands_at_it_until_it_is_there() {
    let mut preferences = preferences(&[]);
    let offer = ModelOffer { id: "stems".into(), ..ModelOffer::default() };
    preferences.told.send(Found::Models(vec![offer])).unwrap();
    let say = |preferences: &Preferences, said| {
        let found = Found::Installing { model: "stems".into(), said };
        preferences.told.send(found).unwrap();
    };
    say(&preferences, Ok(Some("downloading".into())));
    assert_eq!(preferences.look(), (true, None));
    let shown = |preferences: &Preferences| {
        let model = preferences.settings(&Kept::default()).models.remove(0);
        (model.said, model.is_busy)
    };
    assert_eq!(shown(&preferences), ("downloading".into(), true));
    say(&preferences, Err("no network".into()));
    preferences.look();
    assert_eq!(shown(&preferences), ("no network".into(), false));
    say(&preferences, Ok(None));
    preferences.look();
    assert_eq!(shown(&preferences), (String::new(), false));
}

#[test]
fn an_install_that_is_stopped_says_so_and_can_be_begun_again() {
    let mut preferences = preferences(&[]);
    let offer = ModelOffer { id: "stems".into(), ..ModelOffer::default() };
    preferences.told.send(Found::Models(vec![offer])).unwrap();
    preferences.begin("stems".into(), |told| {
        while told("downloading").is_continue() {
            thread::yield_now();
        }
        Err("installing stems was stopped; nothing was installed".into())
    });
    preferences.stop_install("stems".into());
    let shown = |preferences: &mut Preferences| {
        preferences.look();
        let model = preferences.settings(&Kept::default()).models.remove(0);
        (model.said, model.is_busy)
    };
    while shown(&mut preferences).1 {
        thread::yield_now();
    }
    let said = "installing stems was stopped; nothing was installed";
    assert_eq!(shown(&mut preferences), (said.into(), false));
    assert!(preferences.installs.is_empty());
}

#[test]
fn a_driver_that_takes_its_time_holds_nothing_else_up() {
    let mut preferences = preferences(&[]);
    let ((jobs, asked), (sounds, devices)) = (unbounded(), unbounded());
    (preferences.jobs, preferences.sounds) = (jobs, sounds);
    preferences.refresh(&Choice::default());
    preferences.keep_key("here".into(), "secret".into());
    assert!(devices.try_iter().all(|job| matches!(job, Job::Devices(_))));
    let others: Vec<Job> = asked.try_iter().collect();
    assert!(!others.iter().any(|job| matches!(job, Job::Devices(_))));
    assert!(matches!(others.last(), Some(Job::Key { .. })));
}

#[test]
fn a_model_that_is_taken_off_says_so_until_it_is_gone() {
    let mut preferences = preferences(&[]);
    let offer = ModelOffer { id: "stems".into(), ..ModelOffer::default() };
    preferences.told.send(Found::Models(vec![offer])).unwrap();
    preferences.uninstall("stems".into());
    let shown = |preferences: &mut Preferences| {
        preferences.look();
        let model = preferences.settings(&Kept::default()).models.remove(0);
        (model.said, model.is_busy)
    };
    assert_eq!(shown(&mut preferences), ("removing".into(), true));
    let found = Found::Installing { model: "stems".into(), said: Ok(None) };
    preferences.told.send(found).unwrap();
    assert_eq!(shown(&mut preferences), (String::new(), false));
}
