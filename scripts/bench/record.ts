import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';
import { type Recorded, type Scenario, type Statement, UNIQUE } from './scenario.ts';

/**
 * A process that sends each scenario to the product's own handlers and notes the SQL, so that the bare handler asks the database
 * exactly what the product asks. Gets the scenarios from its parent and answers with what it saw.
 */
const statements: Statement[] = [];
watchStatements((text, params) => void statements.push({ text, params: params.map(toText) }));
await startInvalidation();
const listener = await makeFastLane(`${import.meta.dirname}/../../app`, (_, outgoing) => outgoing.writeHead(404).end());
const server = createServer(listener).listen(0, () => process.send?.('ready'));

process.once('message', async (scenarios: Scenario[]) => {
  const recorded: Recorded[] = [];
  for (const scenario of scenarios) recorded.push(await record(scenario));
  process.send?.(recorded, () => process.exit(0));
});

async function record(scenario: Scenario): Promise<Recorded> {
  // The first ones fill the caches.
  for (let times = 0; times < 3; times++) await send(scenario);
  const first = (await send(scenario)).asked;
  const { asked: second, body, contentType } = await send(scenario);
  return { scenario, first, second, body, contentType };
}

let count = 0;

async function send({ method, path, headers, body }: Scenario) {
  statements.length = 0;
  count += 1;
  const { port } = server.address() as AddressInfo;
  const unique = `77${process.pid}${String(count).padStart(8, '0')}`;
  const response = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers,
    body: body?.replaceAll(UNIQUE, unique),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  // The name that this request made up for itself is the placeholder again, in what the bare handler will send.
  const asked = statements.map(({ text, params }) => ({ text, params: params.map((param) => replace(param, unique)) }));
  return { asked, body: text, contentType: response.headers.get('content-type') ?? '' };
}

function replace(param: unknown, unique: string): unknown {
  return typeof param === 'string' ? param.replaceAll(unique, UNIQUE) : param;
}

/** A Date does not survive the way to the other process. */
function toText(param: unknown): unknown {
  return param instanceof Date ? param.toISOString() : param;
}
