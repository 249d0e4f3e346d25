import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { createWorld } from '#lib/testing/world.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const MAILS = 12;

let provider: Server;
/** Who sent each, in order: every process has an address of its own. */
const senders: string[] = [];
const processes = new Map<string, ChildProcess>();

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    const { from } = (await json(request)) as { from: string };
    senders.push(from);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"re_1"}');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  await stopJobs();
  provider.close();
});

async function startSender(from: string): Promise<void> {
  const { port } = provider.address() as AddressInfo;
  const resend = { RESEND_API_KEY: 're_test_key', RESEND_BASE_URL: `http://127.0.0.1:${port}`, MAIL_FROM: from };
  const child = fork(`${process.cwd()}/lib/testing/processes/mail-worker-process.ts`, {
    env: { ...process.env, ...resend },
    stdio: 'ignore',
  });
  processes.set(from, child);
  await once(child, 'message');
}

test('of two processes one sends the mail, so that both keep to one rate; when it is killed, the other goes on', async () => {
  const world = await createWorld();
  await Promise.all([startSender('a@example.com'), startSender('b@example.com')]);
  await Promise.all(Array.from({ length: MAILS }, () => world.invite({ sendEmail: true })));
  await vi.waitUntil(() => senders.length >= 3, WAIT);
  const [first = ''] = senders;
  processes.get(first)?.kill('SIGKILL');
  await vi.waitUntil(() => senders.some((from) => from !== first), WAIT);
  const turn = senders.findIndex((from) => from !== first);
  await vi.waitUntil(() => senders.length >= turn + 3, WAIT);
  expect(turn).toBeGreaterThanOrEqual(3);
  expect(new Set(senders.slice(0, turn))).toEqual(new Set([first]));
  expect(new Set(senders.slice(turn))).toHaveLength(1);
}, 150_000);
