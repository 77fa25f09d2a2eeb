//! Stories of runs with timers and deadlines: events with their times, and the events that only `show --all` shows.

use crate::calling::{call, folder};

const BEATS: &str = "
message Beat
node Primary {
    var up: 0..9 = 0
    every 4 ms .. 5 ms, first 1 ms { up = min(9, up + 1); send Beat to Backup }
}
node Backup {
    var leads: Bool = false
    timer quiet
    start { set quiet in 20 ms }
    on Beat { set quiet in 8 ms }
    on quiet { leads = true }
}
network complete { delivery within 0 ms .. 1 ms }
faults none
world Keep { faults at most 1 Primary: stop any time, restart keeping state within 5 ms .. 8 ms }
claim calm: always not Backup.leads
claim back(u: Duration): always all k in Primary: (k.stopped leads to not k.stopped and k.activations >= 2 within u)
claim leads_at(u: Duration): always (Backup.leads implies now >= u)
";

fn story(name: &str, check: &str) -> String {
    let folder = folder(name);
    std::fs::write(folder.join("m.scrut"), format!("{BEATS}{check}\n")).expect("a file");
    call(&folder, &["check", "m.scrut"]).out
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "{part}\nis not in\n{text}");
}

#[test]
fn the_setter_of_an_expired_timer_is_named() {
    let out = story("timer-told", "check calm in Keep expect fails");
    let lines: Vec<&str> = out.lines().map(str::trim).collect();
    let sent = lines.iter().position(|l| l.contains("→ Beat to Backup"));
    let got = lines.iter().position(|l| l.contains("gets Beat"));
    assert!(sent.is_some() && sent < got, "{out}");
    says(&out, "sets quiet anew (8 ms)");
    assert!(!out.contains("left out"), "{out}");
}

#[test]
fn times_have_values() {
    let out = story("time-values", "check leads_at(10 ms) in Keep");
    says(&out, "Backup.leads = true, now = 9 ms, u = 10 ms");
    let out = story("deadline-values", "check back(7 ms) in Keep");
    says(&out, "here the claim is false:  k.stopped leads to");
    says(
        &out,
        "for k = Primary:  asked for at 0 ms, and not there within 7 ms",
    );
}

#[test]
fn a_claim_that_fails_for_ever_is_not_said_to_be_true() {
    let out = story("never-there", "check least u: back(u) in Keep");
    says(&out, "fails for every bound");
    says(&out, "the claim is false:  k.stopped leads to");
    says(&out, "for k = Primary:  asked for at ");
    says(&out, ", and never there after that");
    assert!(!out.contains("stays true"), "{out}");
}

/// A run with many events that have no lasting effect.
#[test]
fn the_whole_run_is_told_on_demand() {
    let folder = folder("whole-story");
    let model = "
message Tick
node Clock {
    every 2 ms, first 2 ms { send Tick to Lamp }
}
node Lamp {
    var on: Bool = true
    timer t
    start { set t in 21 ms }
    on Tick { }
    on t { on = false }
}
network complete { delivery within 1 ms .. 1 ms }
claim lit: always Lamp.on
check lit
";
    std::fs::write(folder.join("m.scrut"), model).expect("a file");
    let out = call(&folder, &["check", "m.scrut"]).out;
    says(&out, "left out");
    let run = "scrutineer-out/m/1-lit.run";
    says(&call(&folder, &["show", run]).out, "left out");
    let all = call(&folder, &["show", "--all", run]).out;
    assert!(!all.contains("left out"), "{all}");
    says(&all, "20 ms  Clock  activation 10");
    assert!(all.matches("gets Tick").count() >= 9, "{all}");
}
