import { toMarkdown } from '../bench/table.ts';
import { SHAPES, type Shape } from './project-sizes.ts';
import { type Cluster, MOVED_PER_SECOND, type Outcome, simulate } from './scenario.ts';

const CLUSTERS: readonly Cluster[] = [
  { shards: 32, nodes: 4 },
  { shards: 32, nodes: 8 },
  { shards: 32, nodes: 16 },
  { shards: 128, nodes: 8 },
  { shards: 128, nodes: 16 },
  { shards: 256, nodes: 16 },
];

const HEAD = [
  'Sizes: shards on nodes',
  'Largest project, in nodes',
  'As hashed',
  'By size',
  'TB moved',
  'Own shards',
  'Then',
  'A node more: TB moved',
  'Hours at 100 MB/s',
  'Then',
];

/** docs/scale.md has it, and a test holds it to this. */
export function placementTable(): string {
  const rows = (Object.keys(SHAPES) as Shape[]).flatMap((shape) =>
    simulate(shape, CLUSTERS).map((outcome, n) => toCells(shape, CLUSTERS[n]!, outcome)),
  );
  return toMarkdown(HEAD, rows);
}

function toCells(shape: Shape, { shards, nodes }: Cluster, outcome: Outcome): string[] {
  return [
    `${shape}: ${shards} on ${nodes}`,
    outcome.largest.toFixed(2),
    outcome.asHashed.toFixed(2),
    outcome.bySize.toFixed(2),
    terabytes(outcome.movedBySize),
    String(outcome.isolated),
    outcome.afterIsolation.toFixed(2),
    terabytes(outcome.movedToNewNode),
    (outcome.movedToNewNode / MOVED_PER_SECOND / 3600).toFixed(1),
    outcome.afterNewNode.toFixed(2),
  ];
}

function terabytes(bytes: number): string {
  return (bytes / 1e12).toFixed(2);
}
