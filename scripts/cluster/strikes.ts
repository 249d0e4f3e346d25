import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from '#lib/infra/db/errors.ts';
import type { Ledger } from '../faults/ledger.ts';
import type { Project } from '../faults/project.ts';
import type { Site } from '../faults/site.ts';
import type { Answers } from './answers.ts';
import type { Nodes } from './nodes.ts';

export type Place = {
  nodes: Nodes;
  servers: Site[];
  /** The worker that falls, which does not hold the rows above projects. */
  weak: number;
  /** On that worker, and on another. */
  hit: Working;
  spared: Working;
};

/** A project that is written to until the end. */
export type Working = {
  project: Project;
  ledger: Ledger;
  answers: Answers;
  asked(): number;
  /** Rejects when it cannot go on. */
  fails: Promise<never[]>;
  end(): Promise<void>;
};

export type Strike = {
  name: string;
  /** Resolves when all is well again, to what was not as promised. */
  strike(place: Place): Promise<string[]>;
};

const AWAY_MS = 5000;
const LONGEST_MS = 120_000;
/** So many answers tell that a project is served. */
const SOME = 10;
const TRIES = 10;
const SETTLE_MS = 1000;

export const STRIKES: Strike[] = [
  {
    name: 'a worker is killed and comes back',
    async strike({ nodes, weak, hit, spared }) {
      const { answers } = hit;
      answers.expect('its node away');
      const [refused, beside] = [answers.refused(), spared.answers.done()];
      nodes.kill(weak);
      await pause(AWAY_MS);
      const breaches = [];
      if (answers.refused() === refused) breaches.push('nobody was told 503 while the node was away');
      if (spared.answers.done() < beside + SOME) breaches.push('the project on the other node came to a stop');
      await nodes.revive(weak);
      const done = answers.done();
      await until(() => answers.done() > done + SOME);
      // Whoever was refused as it came back may hear of it now.
      await pause(AWAY_MS);
      answers.expect('all');
      return breaches;
    },
  },
  {
    name: 'a server process is killed',
    async strike({ servers: [server], hit, spared }) {
      for (const { answers } of [hit, spared]) answers.expect('a server falls');
      process.kill(server!.server()!, 'SIGKILL');
      await pause(AWAY_MS);
      await server!.serves();
      await pause(AWAY_MS);
      for (const { answers } of [hit, spared]) answers.expect('all');
      return [];
    },
  },
  {
    name: 'a worker is added, and shards move to it',
    async strike({ nodes }) {
      const added = await nodes.add();
      await nodes.sql`select citus_rebalance_start()`;
      await nodes.sql`select citus_rebalance_wait()`;
      const [row] = await nodes.sql<{ shards: number }[]>`
        select count(*)::int as shards from citus_shards where nodeport = ${nodes.portOf(added)}`;
      return row?.shards ? [] : ['the new worker holds nothing'];
    },
  },
  {
    name: 'a hot project gets a shard of its own',
    async strike({ nodes, hit }) {
      const { projectId } = hit.project;
      const target = (await nodes.holderOf(projectId)) === 1 ? 2 : 1;
      // Not isolate_tenant_to_new_shard(): its shards stay on the node, where it does not end once a row is changed while it copies, because
      // what was written before a new shard got its key is read as if there were none. Those on another node have theirs from the start.
      await again(
        () => nodes.sql`
        select citus_split_shard_by_split_points(s.id, array[s.hash - 1, s.hash]::text[], array_fill(n.nodeid, array[3]), 'force_logical')
        from (select get_shard_id_for_distribution_column('resource', ${projectId}::uuid) as id, worker_hash(${projectId}::uuid) as hash) s,
          pg_dist_node n where n.nodeport = ${nodes.portOf(target)}`,
      );
      const [row] = await nodes.sql<{ isAlone: boolean }[]>`
        select shardminvalue = shardmaxvalue as "isAlone" from pg_dist_shard
        where shardid = get_shard_id_for_distribution_column('resource', ${projectId}::uuid)`;
      return row?.isAlone ? [] : ['its shard is not its own'];
    },
  },
];

/** As who does it by hand: where it and a write wait for each other, Citus gives up one of them, and nothing of it is done. */
async function again(run: () => PromiseLike<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await run();
      return;
    } catch (error) {
      if (tries === TRIES || !isRetryable(error)) throw error;
      console.log(`  given up for a write: ${(error as Error).message}`);
      await pause(SETTLE_MS);
    }
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('It does not get well again');
    await pause(100);
  }
}
