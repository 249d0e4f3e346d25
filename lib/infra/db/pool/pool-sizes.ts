import { availableParallelism } from 'node:os';
import { type Env, env } from '#lib/base/env.ts';

export type PoolSizes = {
  /** Outside transactions. */
  statements: number;
  /** The same for searches, which are planned anew each time. */
  searches: number;
  /** Transactions, and what commits by itself. */
  transactions: number;
  /** Dry runs of bots: opened for one, and closed behind it. There are two at once in all processes (rehearsals/turn.ts), which PostgreSQL’s default has room for. */
  rehearsals: number;
  /** pg-boss, beside the one that it listens on. */
  jobs: number;
};

type Given = Pick<Env, 'SERVER_PROCESSES' | 'STATEMENT_CONNECTIONS' | 'TRANSACTION_CONNECTIONS' | 'JOB_CONNECTIONS'>;

/** What PostgreSQL leaves of its 100 by default. */
const ALL = 97;
/** Those that listen (ours, pg-boss's), that which proves ours, that of leases, that of records. */
export const SINGLE = 5;
const FEWEST = 4;
const MOST_TRANSACTIONS = 16;

/**
 * Statements of their own keep a core of PostgreSQL's busy, so more connections than cores can carry only take turns (a fifth of the
 * rate of a search). Transactions wait for the disk and want many; and with a pool of theirs, what is read within one cannot wait for it.
 * Up to four processes, and one that comes while another goes, fit into PostgreSQL's default.
 */
export function poolSizes(cores = availableParallelism(), given: Given = env()): PoolSizes {
  const { JOB_CONNECTIONS: jobs } = given;
  const left = Math.floor(ALL / (given.SERVER_PROCESSES + 1)) - SINGLE - jobs;
  const share = Math.max(FEWEST, Math.min(MOST_TRANSACTIONS, Math.floor(left * 0.4)));
  const transactions = given.TRANSACTION_CONNECTIONS ?? share;
  const most = Math.max(FEWEST, Math.floor((left - transactions) / 2));
  const each = given.STATEMENT_CONNECTIONS ?? Math.max(FEWEST, Math.min(2 * cores, most));
  return { statements: each, searches: each, transactions, rehearsals: 1, jobs };
}

/** Of a pool, for one of so many nodes of a cluster: they share what is asked, though never evenly. */
export function shareOf(size: number, nodes: number): number {
  return Math.min(size, Math.max(2, Math.ceil((2 * size) / nodes)));
}
