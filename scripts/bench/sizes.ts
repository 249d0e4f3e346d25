import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { openKeyring } from '#lib/http/server/open-keyring.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';
import { progress, refuse } from '../progress.mjs';
import { speedBy, startBareReads } from './bare-reads.ts';
import { ask, start } from './child.ts';
import { costOf } from './grow/buffers.ts';
import { openProject } from './open-project.ts';
import { type Job, type Measured, ONCE } from './scenario.ts';
import { openClinics } from './sizes/load-clinic.ts';
import { askOfPolicies } from './sizes/policy-questions.ts';
import { type SizedRequest, sizedRequests } from './sizes/requests.ts';
import { rate, toMarkdown } from './table.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;
const SECONDS = 4;
/** What an index serves may take so many times as long in a hundred times as much. */
const MOST_GROWTH = 1.5;

/** `bare`: what the machine did bare just before, per second. */
type Figures = { perSecond: number; p50: number; bare: number; buffers: number | undefined };
type Line = { request: SizedRequest; figures: Figures[] };

/**
 * `npm run bench -- --sizes` (or `--sizes 10000 100000`): the production server on a database that grows, half of it one project's, which is asked;
 * what is written goes to another, or it would be the newest of everything. Beside each row a bare handler reads the same patient, which tells how
 * fast the machine is at that moment: targets are as high as it is fast. Buffers are those of the
 * statements that one request sends; what writes has none, since it is not done twice.
 */
export async function benchSizes(url: string, base: string, asked: string[] = []): Promise<void> {
  const sizes = asked.length > 0 ? asked.map(Number) : SIZES;
  let server = await progress('Production server', () => start('../server.ts'));
  const { projectId, signIn } = await openProject(base);
  const { signIn: signInToWrite } = await openProject(base, 'writer@bench.example');
  const clinics = openClinics(url, projectId);
  const [load, own] = [await start('bench/load.ts'), await serveHere()];
  const lines = new Map<string, Line>();
  let measureBare: (() => Promise<number>) | undefined;
  for (const size of sizes) {
    const many = size.toLocaleString('en');
    await progress(`${many} resources`, () => clinics.growTo(size));
    server = await progress('Production server, anew', () => restart(server));
    const requests = sizedRequests(await signIn(), await signInToWrite(), clinics.known);
    measureBare ??= await progress('Bare handler', () => startBare(url, load, requests[0]!));
    for (const request of requests) {
      const line = lines.get(request.name) ?? { request, figures: [] };
      lines.set(request.name, line);
      await progress(`${request.name}, of ${many}`, async () => {
        const buffers = request.method === 'GET' ? await buffersOf(own, request) : undefined;
        const bare = await measureBare!();
        const { perSecond, p50 } = await measure(load, request, base);
        line.figures.push({ perSecond, p50, bare, buffers });
      });
    }
  }
  const world = { base, projectId, token: await signIn(), patients: clinics.known };
  const questions = await progress('Questions of policies', () => askOfPolicies(world));
  server.kill('SIGTERM');
  console.log(`\n${cpus().length} cores shared with PostgreSQL and the load generator, ${CONNECTIONS} connections.\n`);
  console.log(toSizesTable(sizes, [...lines.values()]));
  console.log(`\n${questions}`);
  const missed = [...lines.values()].flatMap(missedBy);
  console.log(
    missed.length === 0 ? '\nEvery target is met.' : `\nMissed:\n${missed.map((text) => `- ${text}`).join('\n')}`,
  );
}

/**
 * PostgreSQL remembers for as long as a connection lives what plans have cost on it, which was less of few rows: until the driver replaces the
 * connection, within an hour, it would not keep one that is dearer now. No project grows a hundredfold within that.
 */
async function restart(server: ChildProcess): Promise<ChildProcess> {
  server.kill('SIGTERM');
  await once(server, 'exit');
  return start('../server.ts');
}

/** Of the first that is asked for. */
function startBare(url: string, load: ChildProcess, read: SizedRequest): Promise<() => Promise<number>> {
  const { inTurn = [], ...rest } = read;
  return startBareReads(url, load, { ...rest, path: read.path.replaceAll(ONCE, inTurn[0] ?? '') });
}

/** The same handlers in this process, where statements are seen. */
async function serveHere(): Promise<string> {
  await startInvalidation();
  await openKeyring();
  const lane = await makeFastLane(`${import.meta.dirname}/../../app`, (_, outgoing) => outgoing.writeHead(404).end());
  const server = createServer(lane);
  await new Promise<void>((listening) => server.listen(0, listening));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

async function buffersOf(base: string, { path, headers, inTurn = [] }: SizedRequest): Promise<number> {
  const get = async () => {
    const response = await fetch(`${base}${path.replaceAll(ONCE, inTurn[0] ?? '')}`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
  };
  // The first one fills the caches.
  await get();
  return (await costOf(get)).buffers;
}

async function measure(load: ChildProcess, scenario: SizedRequest, url: string): Promise<Measured> {
  const job = { url, scenario, connections: CONNECTIONS };
  await ask<Job, Measured>(load, { ...job, seconds: WARM_UP_SECONDS });
  const measured = await ask<Job, Measured>(load, { ...job, seconds: SECONDS });
  if (measured.failed > 0) refuse(`${scenario.name}: ${measured.failed} requests failed`);
  return measured;
}

function toSizesTable(sizes: number[], lines: Line[]): string {
  const many = sizes.map((size) => size.toLocaleString('en'));
  const last = many.at(-1);
  const head = [
    'Requests/s',
    ...many,
    'Growth',
    `Bare reads at ${last}`,
    'Target',
    ...many.map((size) => `Buffers at ${size}`),
  ];
  const rows = lines.map(({ request, figures }) => [
    request.name,
    ...figures.map(({ perSecond }) => rate(perSecond)),
    growthOf(figures).toFixed(2),
    rate(figures.at(-1)!.bare),
    request.least === undefined ? '' : rate(owed(request, figures) / (request.counts ?? 1)),
    ...figures.map(({ buffers }) => buffers?.toLocaleString('en') ?? ''),
  ]);
  return toMarkdown(head, rows);
}

/** How many times as long one takes at the last size as at the first, by what the machine did bare at either time. */
function growthOf(figures: Figures[]): number {
  const [first, last] = [figures[0]!, figures.at(-1)!];
  return first.perSecond / first.bare / (last.perSecond / last.bare);
}

/** The target as this machine owes it; never more than was set. */
function owed({ least = 0 }: SizedRequest, figures: Figures[]): number {
  return least * speedBy(figures.at(-1)!.bare);
}

function missedBy({ request, figures }: Line): string[] {
  const { name, counts = 1, grows } = request;
  const [reached, growth, least] = [figures.at(-1)!.perSecond * counts, growthOf(figures), owed(request, figures)];
  return [
    ...(reached < least ? [`${name}: ${rate(reached)} a second of ${rate(least)}`] : []),
    ...(!grows && growth > MOST_GROWTH ? [`${name}: ${growth.toFixed(2)} times as long, of ${MOST_GROWTH}`] : []),
  ];
}
