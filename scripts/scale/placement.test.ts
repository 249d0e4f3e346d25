import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { uuidHash } from '#lib/infra/db/cluster/uuid-hash.ts';
import { fullest, isolate, loads, type Placement, place } from './placement.ts';
import { placementTable } from './placement-table.ts';
import { makeProjects } from './project-sizes.ts';
import { rebalance } from './rebalance.ts';

const NO_BASE_COST = 0;

/** Shards of these sizes, all on the first node. */
function onOneNode(sizes: number[], nodes: number): Placement {
  const shards = sizes.map((bytes, n) => ({ from: n, to: n, node: 0, projects: [], bytes }));
  return { nodes, shards };
}

// What PostgreSQL 15.20 answers to select uuid_hash(…).
it.each([
  ['00000000-0000-0000-0000-000000000000', 1_353_656_403],
  ['6f9619ff-8b86-d011-b42d-00c04fc964ff', 96_631_315],
  ['ffffffff-ffff-4fff-bfff-ffffffffffff', -988_869_553],
])('hashes %s as PostgreSQL does', (uuid, hash) => {
  expect(uuidHash(uuid)).toBe(hash);
});

describe('placing', () => {
  const projects = makeProjects('lognormal, σ = 2', 2000, 1e9, 1);

  it('puts each project into the one shard whose range has its hash', () => {
    const { shards } = place(projects, 32, 3);
    expect(shards.flatMap(({ projects: own }) => own)).toHaveLength(2000);
    for (const { from, to, projects: own } of shards) {
      expect(own.every(({ hash }) => from <= hash && hash <= to)).toBe(true);
    }
    expect([shards[0]!.from, shards.at(-1)!.to]).toEqual([-2_147_483_648, 2_147_483_647]);
    expect(shards.slice(0, 4).map(({ node }) => node)).toEqual([0, 1, 2, 0]);
  });

  it('gives a project a shard of its own where it was, and loses none of its neighbours', () => {
    const placement = place(projects, 32, 3);
    const before = loads(placement).map(Math.round);
    isolate(placement, projects[5]!);
    expect(placement.shards).toHaveLength(34);
    expect(placement.shards.filter(({ from, to }) => from === to)).toMatchObject([{ projects: [projects[5]] }]);
    expect(loads(placement).map(Math.round)).toEqual(before);
  });
});

describe('rebalancing', () => {
  it('fills an empty node, and moves nothing when all are within a tenth of the mean', () => {
    const placement = onOneNode([40, 30, 20, 10], 2);
    expect(rebalance(placement, NO_BASE_COST)).toBe(50);
    expect(loads(placement)).toEqual([50, 50]);
    expect(rebalance(placement, NO_BASE_COST)).toBe(0);
  });

  it('leaves a shard that is more than a node’s share where it is, and takes the others away from it', () => {
    const placement = onOneNode([90, 5, 5], 3);
    rebalance(placement, NO_BASE_COST);
    expect(loads(placement)).toEqual([90, 5, 5]);
    expect(fullest(placement)).toBeCloseTo(2.7);
  });
});

it('docs/scale.md has the table that npm run simulate-placement prints', () => {
  expect(readFileSync(`${import.meta.dirname}/../../docs/scale.md`, 'utf8')).toContain(placementTable());
});
