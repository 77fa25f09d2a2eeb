//! How samples of random models are gone through: how many, and on all cores.

/// How many models are compared: so many, unless SCRUTINEER_SAMPLE says otherwise.
pub fn wanted(compared: usize) -> usize {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(compared, |n| {
        n.parse().expect("SCRUTINEER_SAMPLE is a number")
    })
}

/// What comes out of each part of a sample: the models from one on, every so many-th of them.
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
