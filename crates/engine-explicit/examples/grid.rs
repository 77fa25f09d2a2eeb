use machine::*;
use verdict::*;
struct Free;
impl Budget for Free {
    fn ask(&self, p: &Progress) -> Option<Spent> {
        let _ = p;
        None
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let mut m = parse(&text).unwrap_or_else(|e| panic!("{e:?}"));
    m.rung = Rung::Integer(Grid {
        unit: args[2].parse().unwrap(),
        horizon: args[3].parse().unwrap(),
    });
    verify(&m).unwrap();
    let start = std::time::Instant::now();
    let q = Question {
        machine: &m,
        fair: true,
    };
    let relevance = |rigid: &Rigid| passes::relevant(&m, rigid);
    let r = if args.len() > 4 {
        engine_explicit::run(&q, &Free)
    } else {
        engine_explicit::run_in_time(&q, &relevance, &passes::shortcuts(&m), &Free)
    };
    let r = match r {
        Ok(r) => r,
        Err(e) => {
            println!("refused {e:?}");
            return;
        }
    };
    println!("{:?} {:?}", r.counts, start.elapsed());
    for a in &r.answers {
        let s = format!("{a:?}");
        println!("{}", &s[..s.len().min(200)]);
    }
    println!("error: {}", r.findings.error.is_some());
}
