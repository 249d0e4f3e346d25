import type { PoolName } from './load.ts';

/** What one statement outside a transaction may take: a search that nobody waits for any more must not hold its connection. */
export const STATEMENT_LIMIT_MS = 30_000;

/** To compile a plan takes longer than any of ours: what PostgreSQL thinks dear is mostly asked of a few rows. */
const JIT = { jit: 'off' };

export const SETTINGS: Record<PoolName, Record<string, string | number>> = {
  statements: { ...JIT, statement_timeout: STATEMENT_LIMIT_MS },
  searches: { ...JIT, statement_timeout: STATEMENT_LIMIT_MS, plan_cache_mode: 'force_custom_plan' },
  transactions: JIT,
  rehearsals: JIT,
};

const ONE_STATEMENT_SECONDS = STATEMENT_LIMIT_MS / 1000 + 5;

/** How long what is under way in a pool that has been replaced may take. */
export const LAST_SECONDS: Record<PoolName, number> = {
  statements: ONE_STATEMENT_SECONDS,
  searches: ONE_STATEMENT_SECONDS,
  transactions: 600,
  rehearsals: 600,
};

/** A plan for any project makes Citus look for its shard, and plan for that, at each execution: twice the work of a plan for this one. */
const CUSTOM = { plan_cache_mode: 'force_custom_plan' };
export const AT_HOME = { transactions: CUSTOM, rehearsals: CUSTOM, statements: {}, searches: {} };
