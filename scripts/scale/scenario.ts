import { fullest, isolate, type Placement, place } from './placement.ts';
import { makeProjects, type Project, type Shape } from './project-sizes.ts';
import { rebalance } from './rebalance.ts';

export type Cluster = { shards: number; nodes: number };

export type Outcome = {
  /** The largest project, in nodes' mean shares. */
  largest: number;
  /** Of the fullest node, against the mean. */
  asHashed: number;
  bySize: number;
  movedBySize: number;
  isolated: number;
  afterIsolation: number;
  /** When one node is added after all that. */
  movedToNewNode: number;
  afterNewNode: number;
};

export const PROJECTS = 10_000;
/** docs/scale.md: so many resources of a project on average, and bytes of a resource with its history, index and audit. */
export const TOTAL_BYTES = PROJECTS * 100_000 * 5_000;
/** A project gets a shard of its own from so much of a node's mean share on. */
export const ISOLATED_FROM = 0.1;
export const SEEDS = 25;
export const MOVED_PER_SECOND = 100e6;

/** Of each cluster the median of many seeds: other projects, other ids. */
export function simulate(shape: Shape, clusters: readonly Cluster[]): Outcome[] {
  const worlds = Array.from({ length: SEEDS }, (_, seed) => {
    const projects = makeProjects(shape, PROJECTS, TOTAL_BYTES, seed + 1);
    return clusters.map((cluster) => simulateOne(projects, cluster));
  });
  return clusters.map((_, n) => medians(worlds.map((outcomes) => outcomes[n]!)));
}

function simulateOne(projects: readonly Project[], { shards, nodes }: Cluster): Outcome {
  const share = TOTAL_BYTES / nodes;
  const placement = place(projects, shards, nodes);
  const asHashed = fullest(placement);
  const movedBySize = rebalance(placement);
  const bySize = fullest(placement);
  const large = projects.filter(({ bytes }) => bytes > ISOLATED_FROM * share);
  for (const project of large) isolate(placement, project);
  rebalance(placement);
  const afterIsolation = fullest(placement);
  const movedToNewNode = addNode(placement);
  return {
    largest: Math.max(...projects.map(({ bytes }) => bytes)) / share,
    asHashed,
    bySize,
    movedBySize,
    isolated: large.length,
    afterIsolation,
    movedToNewNode,
    afterNewNode: fullest(placement),
  };
}

/** It comes empty; the rebalancing brings it its part. */
function addNode(placement: Placement): number {
  placement.nodes += 1;
  return rebalance(placement);
}

function medians(outcomes: Outcome[]): Outcome {
  const keys = Object.keys(outcomes[0]!) as (keyof Outcome)[];
  const median = (key: keyof Outcome) =>
    outcomes.map((outcome) => outcome[key]).sort((a, b) => a - b)[Math.floor(outcomes.length / 2)]!;
  return Object.fromEntries(keys.map((key) => [key, median(key)])) as Outcome;
}
