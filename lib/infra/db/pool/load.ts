import { makeGauge } from '../../metrics/registry.ts';

/** How much a pool is asked at once: the driver does not tell, so it is counted where statements pass. */
export type Load = {
  open: number;
  connections: number;
  /** Called before a statement or a transaction of it is sent. */
  onAsked?: (() => void) | undefined;
};
export type PoolName = 'statements' | 'searches' | 'transactions' | 'rehearsals';

const loads = new Map<string, Load>();

/** `pool`: its name, of a node's with that of the node. */
export function watchLoad(pool: string, connections: number): Load {
  const load = { open: 0, connections };
  loads.set(pool, load);
  return load;
}

const each = (read: (load: Load) => number) => () => [...loads].map(([pool, load]) => ({ pool, value: read(load) }));

makeGauge(
  'gatehouse_db_connections',
  'The most that a pool opens.',
  ['pool'],
  each(({ connections }) => connections),
);
makeGauge(
  'gatehouse_db_in_use',
  'Connections of a pool with a statement or a transaction on them.',
  ['pool'],
  each(({ open, connections }) => Math.min(open, connections)),
);
makeGauge(
  'gatehouse_db_waiting',
  'Statements or transactions that wait behind others for a connection.',
  ['pool'],
  each(({ open, connections }) => Math.max(0, open - connections)),
);
