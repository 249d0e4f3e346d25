import type { Project } from './project-sizes.ts';

/** Shard groups: all tables of the product are in one of Citus' co-location groups, so that a project's rows move together. */
export type Shard = { from: number; to: number; node: number; projects: Project[]; bytes: number };
export type Placement = { nodes: number; shards: Shard[] };

const [LOWEST, HIGHEST] = [-(2 ** 31), 2 ** 31 - 1];

/** As `create_distributed_table` does: equal ranges of the hash, the n-th on the n-th node, and again from the first. */
export function place(projects: readonly Project[], shardCount: number, nodes: number): Placement {
  const width = Math.floor(2 ** 32 / shardCount);
  const shards = Array.from({ length: shardCount }, (_, n): Shard => {
    const from = LOWEST + n * width;
    return { from, to: n === shardCount - 1 ? HIGHEST : from + width - 1, node: n % nodes, projects: [], bytes: 0 };
  });
  for (const project of projects) {
    const index = Math.floor((project.hash - LOWEST) / width);
    hold(shards[Math.min(index, shardCount - 1)]!, project);
  }
  return { nodes, shards };
}

/** As `isolate_tenant_to_new_shard` does: the range falls into three, all on the node where it was. */
export function isolate({ shards }: Placement, { hash }: Project): void {
  const at = shards.findIndex(({ from, to }) => from <= hash && hash <= to);
  const { from, to, node, projects } = shards[at]!;
  const ranges = [
    [from, hash - 1],
    [hash, hash],
    [hash + 1, to],
  ] as const;
  const parts = ranges
    .filter(([low, high]) => low <= high)
    .map(([low, high]): Shard => ({ from: low, to: high, node, projects: [], bytes: 0 }));
  for (const each of projects) {
    hold(parts.find((part) => part.from <= each.hash && each.hash <= part.to)!, each);
  }
  shards.splice(at, 1, ...parts);
}

export function loads({ nodes, shards }: Placement): number[] {
  const all = new Array<number>(nodes).fill(0);
  for (const { node, bytes } of shards) all[node]! += bytes;
  return all;
}

/** The fullest node's load against the mean: 1 is even. */
export function fullest(placement: Placement): number {
  const all = loads(placement);
  return (Math.max(...all) * all.length) / all.reduce((sum, load) => sum + load, 0);
}

function hold(shard: Shard, project: Project): void {
  shard.projects.push(project);
  shard.bytes += project.bytes;
}
