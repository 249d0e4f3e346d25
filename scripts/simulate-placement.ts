import { placementTable } from './scale/placement-table.ts';
import { ISOLATED_FROM, PROJECTS, SEEDS, TOTAL_BYTES } from './scale/scenario.ts';

/** `npm run simulate-placement`: how evenly projects of very different sizes lie on the nodes of a Citus cluster, and what moving them costs. */
export async function run(): Promise<void> {
  console.log(`${PROJECTS.toLocaleString('en')} projects, together ${TOTAL_BYTES / 1e12} TB, sharded by PostgreSQL’s own uuid_hash.
The fullest node’s load against the mean: as hashed; after rebalancing as Citus’ by_disk_size does; after each project of more
than ${100 * ISOLATED_FROM} % of a node’s share has got a shard of its own and rebalancing again; after a node came. Medians of ${SEEDS} seeds.
`);
  console.log(placementTable());
}
