//! Plans how a kernel runs by rows.
//!
//! In: a `Cfg` with a [`Fact`] for each value and the shapes of its parameters. Out: a [`RowPlan`],
//! or the reason why there is none.

use super::{
    edges::edges,
    flow::{Flow, NoRows},
    graph::{BlockId, Cfg, Kind, ValueId},
    masks::Masks,
    operation::{Fact, Shape},
    order::Order,
    rows::{RowBlock, RowPlan},
    schedule::Schedule,
    shapes::{RULES, Rule, Shapes},
};

/// Plans `cfg` for rows of so many lanes in so many lines, each of which begins at a multiple of
/// its length. `facts` has an element for each value, parameters included.
pub(crate) fn plan_rows(cfg: &Cfg, facts: &[Fact], parameters: &[Shape], size: [u32; 2]) -> Result<RowPlan, NoRows> {
    plan_by(&RULES, cfg, facts, parameters, size)
}

/// Plans by some of the rules about branches.
pub(super) fn plan_by(
    rules: &[Rule],
    cfg: &Cfg,
    facts: &[Fact],
    parameters: &[Shape],
    [lanes, lines]: [u32; 2],
) -> Result<RowPlan, NoRows> {
    let flow = Flow::of(cfg)?;
    let order = Order::compact(&flow.ordered, BlockId(0), &flow.forest);
    let shapes = match lanes {
        0 | 1 => Shapes::of_one_lane(&flow),
        _ => Shapes::of(&flow, &order, facts, (parameters, lanes / lines), rules),
    };
    let schedule = Schedule::of(&flow, &order, &shapes)?;
    let masks = Masks::of(&flow, &order, &shapes, &schedule, facts)?;
    let mut edges = edges(&flow, &order, &schedule, &masks);
    let row_block = |&block: &BlockId| RowBlock {
        block,
        mask: masks.mask(block),
        skip: masks.skip(block),
        edges: std::mem::take(&mut edges[block.index()]),
        end: schedule.end(block).clone(),
        forgotten: forgotten(&flow, block),
        depth: flow.forest.loops_of(block).count(),
    };
    let blocks = order.blocks().iter().map(row_block).collect();
    Ok(RowPlan { shapes: shapes.values, cut: shapes.cut, blocks })
}

/// The values of the loop with this header. Lanes that go on to the next round, and those that have
/// left the loop, have them in phis.
fn forgotten(flow: &Flow<'_>, header: BlockId) -> Vec<ValueId> {
    let blocks = flow.forest.headed(header).map(|id| flow.forest.get(id).blocks.as_slice()).unwrap_or_default();
    let instructions = blocks.iter().flat_map(|&block| flow.layout.instructions(block));
    let values =
        instructions.filter(|(value, one)| !matches!(one.kind, Kind::Phi(_)) && !flow.layout.uses(*value).is_empty());
    values.map(|(value, _)| value).collect()
}
