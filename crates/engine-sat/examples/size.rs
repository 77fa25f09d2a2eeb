//! tmp
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("readable");
        let machine = machine::parse(&text).expect("a Machine");
        let encoded = circuits::encode(&machine, 2).unwrap();
        let c = &encoded.circuit;
        let rigid = c.latches.iter().filter(|l| l.is_rigid()).count();
        println!("{file}: {} latches, {rigid} rigid, {} constant, {} inputs, {} gates", c.latches.len(), c.constant_latches().len(), c.inputs.len(), c.aig.len());
    }
}
