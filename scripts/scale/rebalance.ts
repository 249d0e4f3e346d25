import { loads, type Placement, type Shard } from './placement.ts';

/** Citus' strategy `by_disk_size` (pg_dist_rebalance_strategy of 13.2): nodes within a tenth of the mean are left alone. */
const THRESHOLD = 0.1;
/** A move must be worth half of what it copies. */
const IMPROVEMENT_THRESHOLD = 0.5;
/** citus.rebalancer_by_disk_size_base_cost: so that shards without rows are spread as well. */
const BASE_COST = 100 * 2 ** 20;

type Bounds = { lower: number; upper: number };

/** As `citus_rebalance_start` decides it (shard_rebalancer.c): one move after the other, each better than none. Returns the bytes moved. */
export function rebalance(placement: Placement, baseCost = BASE_COST): number {
  const costOf = ({ bytes }: Shard) => bytes + baseCost;
  const costs = loads(placement);
  for (const { node } of placement.shards) costs[node]! += baseCost;
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const bounds = { lower: mean * (1 - THRESHOLD), upper: mean * (1 + THRESHOLD) };
  let moved = 0;
  for (let move = findMove(placement, costs, bounds, costOf); move; move = findMove(placement, costs, bounds, costOf)) {
    const { shard, to } = move;
    costs[shard.node]! -= costOf(shard);
    costs[to]! += costOf(shard);
    shard.node = to;
    moved += shard.bytes;
  }
  return moved;
}

/** From the fullest node to the emptiest, the largest shard first that makes the two more equal. */
function findMove({ shards }: Placement, costs: number[], { lower, upper }: Bounds, costOf: (shard: Shard) => number) {
  const ascending = costs.map((_, node) => node).sort((a, b) => costs[a]! - costs[b]!);
  for (const source of [...ascending].reverse()) {
    if (costs[source]! <= lower) return undefined;
    const own = shards.filter(({ node }) => node === source).sort((a, b) => b.bytes - a.bytes);
    for (const target of ascending) {
      const isDecent = costs[target]! >= lower && costs[source]! <= upper;
      if (costs[target]! >= upper || isDecent) break;
      const shard = own.find((each) => isWorthIt(costOf(each), costs[source]!, costs[target]!));
      if (shard) return { shard, to: target };
    }
  }
  return undefined;
}

function isWorthIt(cost: number, source: number, target: number): boolean {
  const [newSource, newTarget] = [source - cost, target + cost];
  if (newTarget <= newSource) return true;
  return newTarget < source && (source - newTarget) / cost >= IMPROVEMENT_THRESHOLD;
}
