//! The size of samples of random models, and their distribution over threads.

/// The number of models to compare: `compared`, or the environment variable SCRUTINEER_SAMPLE.
pub fn wanted(compared: usize) -> usize {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(compared, |n| {
        n.parse().expect("SCRUTINEER_SAMPLE is a number")
    })
}

/// Runs `part` on all cores and returns the results. Its arguments are the first seed of the part and the step to the
/// next seed.
pub fn on_all_cores<T: Send>(part: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let step = std::thread::available_parallelism().map_or(1, |n| n.get());
    let part = &part;
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..step)
            .map(|from| scope.spawn(move || part(from, step)))
            .collect();
        let parts = parts.into_iter();
        parts.map(|p| p.join().expect("it compares")).collect()
    })
}
