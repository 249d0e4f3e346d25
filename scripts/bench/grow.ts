import { createServer } from 'node:http';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { openKeyring } from '#lib/http/server/open-keyring.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';
import { progress } from '../progress.mjs';
import { type Cost, costOf } from './grow/buffers.ts';
import { loadProject } from './grow/load-project.ts';
import { growRequests } from './grow/requests.ts';
import { register } from './open-project.ts';
import { toMarkdown } from './table.ts';

const SIZES = [10_000, 100_000, 1_000_000];

/** `npm run bench -- --grow`: what a request costs PostgreSQL in projects of three sizes, one after the other on one server. */
export async function grow(url: string, port: number): Promise<void> {
  const base = `http://localhost:${port}`;
  await startInvalidation();
  await openKeyring();
  const listener = await makeFastLane(`${import.meta.dirname}/../../app`, (_, outgoing) =>
    outgoing.writeHead(404).end(),
  );
  createServer(listener).listen(port);
  const costs = new Map<string, Cost[]>();
  for (const size of SIZES) {
    const { token, projectId } = await register(base, `owner-${size}@bench.example`);
    const loaded = await progress(`A project of ${size.toLocaleString('en')} resources`, () =>
      loadProject(url, projectId, size),
    );
    for (const { name, path } of growRequests(projectId, loaded)) {
      const ask = () => get(`${base}${path}`, token);
      // The first one fills the caches.
      await ask();
      costs.set(name, [...(costs.get(name) ?? []), await costOf(ask)]);
    }
  }
  console.log(`\n${toGrowTable(costs)}`);
}

async function get(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${text}`);
}

/** Buffers, and milliseconds within PostgreSQL, of each size. */
function toGrowTable(costs: Map<string, Cost[]>): string {
  const sizes = SIZES.map((size) => size.toLocaleString('en'));
  const head = ['', ...sizes.map((size) => `Buffers at ${size}`), ...sizes.map((size) => `ms at ${size}`)];
  const rows = [...costs].map(([name, all]) => [
    name,
    ...all.map(({ buffers }) => buffers.toLocaleString('en')),
    ...all.map(({ ms }) => ms.toFixed(1)),
  ]);
  return toMarkdown(head, rows);
}
