//! Checks a model in a `#[test]`. If a change of the protocol violates a claim, the test fails and shows the story of
//! the run.

use scrutineer::{Model, Options};

const LOCK: &str = "
param clients: 1..9 = 2

enum Step { Waiting, Holding, Done }
message Ask
message Key
message GiveBack

node Client[clients] {
    var step: Step = Waiting

    start  { send Ask to Server }
    on Key { step = Holding }
    when finished: step == Holding {
        step = Done
        send GiveBack to Server
    }
}

node Server {
    var lent: Bool = false

    on Ask from client when not lent { lent = true; send Key to client }
    on GiveBack { lent = false }
}

network complete { channel fifo }

claim exclusive: always (count k in Client: k.step == Holding) <= 1
claim served:    eventually all k in Client: k.step == Done

check exclusive, served for clients in 1..3
";

#[test]
fn the_lock_is_exclusive_and_serves_everyone() -> Result<(), scrutineer::Error> {
    use std::time::Duration;
    // The time limit ensures that the test ends. A result that is then unknown is not proved, so the test fails.
    let options = Options::default().time(Duration::from_secs(60)).threads(1);
    for check in Model::parse(LOCK)?.checks() {
        for result in check.run(&options)?.properties {
            assert!(result.is_proved(), "{result}");
        }
    }
    Ok(())
}

/// Prints the result of every check.
pub fn main() -> Result<(), scrutineer::Error> {
    let model = Model::parse(LOCK)?;
    for check in model.checks() {
        for result in check.run(&Options::default())?.properties {
            println!("{result}");
        }
    }
    Ok(())
}
