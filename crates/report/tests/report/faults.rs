//! Runs with delays, timers and faults: stories, timelines, charts, pages and ITF traces.

use crate::walks::Walk;
use crate::{faulty, markup};
use expect_test::{expect, expect_file};
use report::{Caption, Chart, Show, Text, Timeline, page, story};

const CAPTION: Caption<'_> = Caption {
    title: "it fails",
    subtitle: "in time, with faults",
};

fn story_of(walk: &Walk) -> String {
    story(&walk.replay()).join("\n")
}

#[test]
fn a_retry_that_comes_too_late() {
    expect![[r#"
          start  as the text says
         0.0 ms  Client  starts               tries 0 → 1   sets retry (9 .. 11 ms)   → Ask 0 to Server
         3.0 ms  Server  never gets Ask 0: it is lost
        10.0 ms  Client  timer retry expires  tries 1 → 2   sets retry (9 .. 11 ms)   → Ask 1 to Server
        11.5 ms  Server  gets Ask 1           → Answer 1 to Client
        13.0 ms  nothing happens until here; Answer 1 has been on its way to Client for 1.5 ms
        here the claim is false:  Client.phase == Done
        Client.phase = Asking"#]].assert_eq(&story_of(&faulty::retry()));
}

#[test]
fn a_retry_that_is_not_needed() {
    expect![[r#"
        start  as the text says
         0 ms  Client  starts         tries 0 → 1   sets retry (9 .. 11 ms)   → Ask 0 to Server
         4 ms  Server  gets Ask 0     → Answer 0 to Client
         5 ms  Client  gets Answer 0  phase Asking → Done   halts"#]]
    .assert_eq(&story_of(&faulty::answered()));
}

#[test]
fn a_crash_in_the_middle_of_a_broadcast() {
    expect![[r#"
        start  as the text says
          1.0  Leader    crashes while it wakes up  → Go to Member 1 only
          2.5  Member 1  gets Go                    went false → true
          6.0  nothing happens until here
        here the claim is false:  i.went == j.went
        for i = Member 1, j = Member 2:  i.went = true, j.went = false"#]]
    .assert_eq(&story_of(&faulty::broadcast()));
}

#[test]
fn a_stop_and_a_new_beginning() {
    expect![[r#"
               start  as the text says
                0 ms  Sensor  starts                        boots 0 → 1
        same instant  Watch   activation 1                  k 0 → 1   sets patience (25 ms)   → Ping 1 to Sensor
                3 ms  Sensor  gets Ping 1                   count 0 → 1   → Pong 1 to Watch
                5 ms  Watch   gets Pong 1                   seen 0 → 1   sets patience anew (25 ms)
                9 ms  Sensor  stops
               10 ms  Watch   activation 2                  k 1 → 2   → Ping 2 to Sensor
               13 ms  Sensor  has stopped: Ping 2 is dropped
               20 ms  Watch   activation 3                  k 2 → 3   → Ping 3 to Sensor
               22 ms  Sensor  begins again and keeps boots  count 1 → 0   boots 1 → 2
               26 ms  Sensor  gets Ping 3                   count 0 → 1   → Pong 3 to Watch
               30 ms  Watch   timer patience expires        halts
        here the claim is false:  not Watch.halted
        Watch.halted"#]]
    .assert_eq(&story_of(&faulty::reboot()));
}

#[test]
fn no_more_time() {
    expect![[r#"
               start  as the text says
                   0  A  starts           sets t (at once)
        same instant  A  timer t expires  sets t (at once)
        same instant  time cannot go on
        here the run ends in an error: time cannot go on: something must happen now, and whatever happens, something must again"#]].assert_eq(&story_of(&faulty::no_more_time()));
}

fn texts(walk: &Walk) -> Vec<String> {
    let timeline = Timeline::new(&walk.replay(), &CAPTION);
    timeline.texts.into_iter().map(|t| t.text).collect()
}

#[track_caller]
fn has_texts(texts: &[String], wanted: &[&str]) {
    for wanted in wanted {
        assert!(texts.iter().any(|t| t == wanted), "{wanted} in {texts:#?}");
    }
}

#[test]
fn timelines_have_timers_and_faults() {
    let walk = faulty::retry();
    let wanted = [
        "retry: 9 .. 11 ms",
        "Ask 0, lost",
        "nothing happens until 13 ms: here the claim is false",
        "it breaks at 13 ms, while nothing happens",
    ];
    has_texts(&texts(&walk), &wanted);
    expect_file!["../data/retry.svg"].assert_eq(&report::chart(&walk.replay(), &CAPTION));
    let walk = faulty::broadcast();
    has_texts(&texts(&walk), &["crashes; Go to Member 1 only"]);
    expect_file!["../data/broadcast.svg"].assert_eq(&report::chart(&walk.replay(), &CAPTION));
    let walk = faulty::reboot();
    let wanted = [
        "stops",
        "begins again",
        "halts",
        "Ping 2, dropped",
        "Pong 3, on the way",
        "Watch halts, as its timer patience expires",
    ];
    has_texts(&texts(&walk), &wanted);
    expect_file!["../data/reboot.svg"].assert_eq(&report::chart(&walk.replay(), &CAPTION));
}

#[test]
fn charts_have_times_and_faults() {
    let chart = |walk: &Walk| {
        let chart = Chart::new(&walk.replay(), &CAPTION, Show::All);
        let texts = chart.texts.into_iter().map(|t| t.text);
        texts.collect::<Vec<String>>()
    };
    let wanted = [
        "crashes while it wakes up",
        "Go to Member 1 only",
        "2.5",
        "time",
    ];
    has_texts(&chart(&faulty::broadcast()), &wanted);
    has_texts(&chart(&faulty::broadcast()), &["nothing happens until 6"]);
    let wanted = [
        "stops",
        "Ping 2 dropped",
        "ms",
        "timer patience expires, halts",
    ];
    has_texts(&chart(&faulty::reboot()), &wanted);
}

/// The words for a state include its timers and its messages in flight.
#[test]
fn states_have_timers_and_messages() {
    let walk = faulty::retry();
    let state = |i: usize| report::state(walk.words(), &walk.states[i]).join("\n");
    expect![[r#"
        Client: tries = 1, phase = Asking, timer retry expires in 9 .. 11 ms
        Server: running
        on the way from Client to Server: Ask 0 (just sent)"#]]
    .assert_eq(&state(1));
    expect![[r#"
        Client: tries = 2, phase = Asking, timer retry expires in 6 .. 8 ms
        Server: running
        on the way from Server to Client: Answer 1 (for 1.5 ms)"#]]
    .assert_eq(&state(5));
    let page = page(&walk.replay(), &CAPTION, Some(0));
    for wanted in ["timer retry", "in 9 .. 11 ms", "Answer 1 (for 1.5 ms)"] {
        assert!(page.contains(wanted), "{wanted}");
    }
}

#[test]
fn traces_have_timers_and_times_of_sending() {
    let walk = faulty::retry();
    let trace = report::itf::itf(&walk.replay(), "it");
    let states = trace["states"].as_array().expect("states");
    let keys = trace["vars"].as_array().expect("variables");
    for state in states {
        let has = |key: &serde_json::Value| state.get(key.as_str().expect("a name")).is_some();
        assert!(keys.iter().all(has));
    }
    assert_eq!(
        states[1]["timers"]["#map"][0][1]["#map"][0].to_string(),
        r##"["retry",{"#tup":["9","11"]}]"##
    );
    assert_eq!(states[4]["sent"]["#map"][1][1].to_string(), r#"["23/2"]"#);
}

/// The story of a run of the agreement algorithm lists only the messages that have a lasting effect.
#[test]
fn agreement_not_in_time() {
    expect![[r#"
               start  Proc 1 input 1; Proc 2 input 1; Proc 3 input 0
                      (left out: 21 events of which nothing comes that lasts, with Alive and Round)
                 0.0  Proc 1  activation 1              r 0 → 1   got[0] {} → { Proc 1 }   → Round 0 to Proc 2 and Proc 3
        same instant  Proc 2  gets Round 0 from Proc 1  got[0] {} → { Proc 1 }
        same instant  Proc 3  gets Round 0 from Proc 1  got[0] {} → { Proc 1 }
        same instant  Proc 3  activation 1              decision none → 0   got[1] {} → { Proc 3 }   halts   → Round 1 to Proc 1
        same instant  Proc 2  activation 1              r 0 → 1   got[0] { Proc 1 } → { Proc 1, Proc 2 }   → Round 0 to Proc 1
                 0.5  Proc 2  crashes
                 1.0  Proc 1  gets Round 1 from Proc 3  got[1] {} → { Proc 3 }
        same instant  Proc 1  gets Round 0 from Proc 2  got[0] { Proc 1 } → { Proc 1, Proc 2 }
        same instant  Proc 1  activation 2              r 1 → 2   got[1] { Proc 3 } → { Proc 1, Proc 3 }
                   ⋯  17 events of Proc 1, Proc 2 and Proc 3, with Alive and Round
                 6.5  Proc 1  activation 6              gone {} → { Proc 3 }
                 7.0  nothing happens until here
        here the claim is false:  now <= 14
        for i = Proc 1:  not halted"#]].assert_eq(&story_of(&faulty::agreement(2, 7)));
}

#[test]
fn agreement_in_time() {
    expect![[r#"
               start  Proc 1 input 1; Proc 2 input 1; Proc 3 input 0
                      (left out: 29 events of which nothing comes that lasts, with Alive and Round)
                   0  Proc 3  crashes while it wakes up  → Alive to Proc 1 only   → Round 1 to nobody
        same instant  Proc 1  activation 1               r 0 → 1   got[0] {} → { Proc 1 }   → Round 0 to Proc 2
        same instant  Proc 2  activation 1               r 0 → 1   got[0] {} → { Proc 2 }   → Round 0 to Proc 1
                   1  Proc 1  gets Round 0 from Proc 2   got[0] { Proc 1 } → { Proc 1, Proc 2 }
        same instant  Proc 2  gets Round 0               got[0] { Proc 2 } → { Proc 1, Proc 2 }
                   ⋯  20 events of Proc 1, Proc 2 and Proc 3, with Alive
                   5  Proc 1  activation 6               decision none → 1   got[2] {} → { Proc 1 }   gone {} → { Proc 3 }   halts   → Round 2 to Proc 2
                   6  Proc 2  gets Round 2               got[2] {} → { Proc 1 }
        same instant  Proc 2  activation 5               decision none → 1   got[2] { Proc 1 } → { Proc 1, Proc 2 }   gone {} → { Proc 3 }   halts"#]].assert_eq(&story_of(&faulty::agreement(3, 7)));
}

/// For random runs of the models with timers, delays and faults, stories, pages and traces can be produced, and the
/// texts and the SVG of timelines and charts are well formed.
#[test]
fn random_runs_are_told_and_drawn() {
    let mut marks = [0; 4];
    for seed in 0..240 {
        let walk = faulty::random(seed, 6 + (seed as usize * 7) % 50);
        let replay = walk.replay();
        let events = walk.run.choices.len();
        for line in story(&replay) {
            assert!(!line.trim().is_empty());
        }
        for caption in [CAPTION, Caption::default()] {
            let timeline = Timeline::new(&replay, &caption);
            check_texts(&timeline.texts, timeline.width, timeline.height, seed);
            let mut seen = vec![0; events];
            for hit in &timeline.hits {
                (hit.first..=hit.last).for_each(|event| seen[event] += 1);
            }
            assert!(seen.iter().all(|count| *count == 1), "{seed}: {seen:?}");
            let svg = timeline.svg();
            assert_eq!(markup::well_formed(&svg)[0], "svg");
            for (count, sign) in marks
                .iter_mut()
                .zip(["sc-crash", "sc-timer", "sc-now", "sc-dash"])
            {
                *count += usize::from(svg.contains(&format!("class=\"{sign}")));
            }
            for show in [Show::All, Show::Mattering] {
                let chart = Chart::new(&replay, &caption, show);
                check_texts(&chart.texts, chart.width, chart.height, seed);
                assert_eq!(markup::well_formed(&chart.svg())[0], "svg");
            }
        }
        report::itf::itf(&replay, "it");
        page(&replay, &CAPTION, Some(0));
    }
    assert!(marks.iter().take(3).all(|count| *count > 20), "{marks:?}");
}

/// The same for random machines with timers and faults, with exact times and digitised.
#[test]
fn random_machines_are_told_and_drawn() {
    let mut counts = [0; 2];
    for seed in 0..200 {
        if let Some(walk) = faulty::random_machine(seed, 25) {
            let replay = walk.replay();
            counts[0] += usize::from(replay.is_timed());
            story(&replay);
            let timeline = Timeline::new(&replay, &CAPTION);
            check_texts(&timeline.texts, timeline.width, timeline.height, seed);
            page(&replay, &CAPTION, Some(0));
        }
        if let Some(walk) = faulty::random_on_grid(seed, 25) {
            let replay = walk.replay();
            story(&replay);
            for show in [Show::All, Show::Mattering] {
                let chart = Chart::new(&replay, &CAPTION, show);
                counts[1] += usize::from(chart.texts.iter().any(|t| t.text == "time"));
                check_texts(&chart.texts, chart.width, chart.height, seed);
            }
            page(&replay, &CAPTION, Some(0));
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

fn check_texts(texts: &[Text], width: f64, height: f64, seed: u64) {
    for (i, text) in texts.iter().enumerate() {
        let [left, top, right, bottom] = text.bounds();
        assert!(
            left >= 0.0 && top >= 0.0 && right <= width + 0.01 && bottom <= height,
            "{seed}: outside of {width} × {height}: {text:?}"
        );
        if let Some(other) = texts[..i].iter().find(|other| meet(text, other)) {
            panic!("{seed}: {text:?} meets {other:?}");
        }
    }
}

fn meet(a: &Text, b: &Text) -> bool {
    let ([al, at, ar, ab], [bl, bt, br, bb]) = (a.bounds(), b.bounds());
    al < br - 0.01 && bl < ar - 0.01 && at < bb - 0.01 && bt < ab - 0.01
}

/// Writes pictures for manual inspection: `SHOW=dir cargo test --test report faults::show -- --ignored`.
#[test]
#[ignore = "writes files"]
fn show() {
    let dir = std::path::PathBuf::from(std::env::var("SHOW").expect("a directory"));
    let mut walks = vec![
        ("retry".to_string(), faulty::retry()),
        ("answered".into(), faulty::answered()),
        ("broadcast".into(), faulty::broadcast()),
        ("reboot".into(), faulty::reboot()),
    ];
    walks.extend((0..6).map(|seed| (format!("agreement-{seed}"), faulty::agreement(seed, 7))));
    walks.extend((0..10).map(|seed| (format!("random-{seed}"), faulty::random(seed, 30))));
    for (name, walk) in walks {
        let replay = walk.replay();
        let svg = Timeline::new(&replay, &CAPTION).svg();
        std::fs::write(dir.join(format!("{name}.svg")), svg).expect("a file");
        let chart = Chart::new(&replay, &CAPTION, Show::All).svg();
        std::fs::write(dir.join(format!("{name}-chart.svg")), chart).expect("a file");
        let page = page(&replay, &CAPTION, Some(0));
        std::fs::write(dir.join(format!("{name}.html")), page).expect("a file");
        let story = report::story(&replay).join("\n");
        std::fs::write(dir.join(format!("{name}.txt")), story).expect("a file");
    }
}
