import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { env } from '#lib/base/env.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { ackOf, admission, FEED_PORTS, freeFeedPort, type Hl7Sender, openSender } from '#lib/testing/hl7.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

/** As many as it takes to be in the middle of them: `MLLP_MESSAGES=10000` sends more. */
const MESSAGES = Number(process.env.MLLP_MESSAGES ?? 120);
const KILLS = 3;
const WAIT = { timeout: 600_000, interval: 50 };
/** Leaves a mark for each message that it sees, under the message's own name. */
const BOT = `
  exports.handler = async (medplum, { input }) => {
    const value = input.header.getComponent(10, 1);
    await medplum.createResource({ resourceType: 'Basic', code: { text: 'seen' }, identifier: [{ system: 'urn:control-id', value }] });
  };`;

let world: World;
const children: ChildProcess[] = [];

beforeAll(async () => {
  Object.assign(env(), { MLLP_PORTS: FEED_PORTS });
  await startInvalidation();
  world = await createWorld();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stopInvalidation();
});

async function startListener(): Promise<void> {
  const child = fork(`${process.cwd()}/lib/testing/processes/mllp-process.ts`, {
    env: { ...process.env, MLLP_PORTS: `${FEED_PORTS.from}-${FEED_PORTS.to}` },
    stdio: 'ignore',
  });
  children.push(child);
  await once(child, 'message');
}

test(`${MESSAGES} messages while the process that listens is killed ${KILLS} times: each that was acknowledged ran once, or stands among the failures`, async () => {
  const botId = await deployedBot(world, BOT);
  const port = await freeFeedPort();
  const body = { name: 'Killed', bot: { reference: `Bot/${botId}` }, port };
  const { body: feed } = await world.call('POST', '/hl7-feeds', { body });
  await startListener();
  const acknowledged: string[] = [];
  let sender: Hl7Sender | undefined;
  for (let n = 0; n < MESSAGES; ) {
    const id = `m${n}`;
    if (n > 0 && n % Math.ceil(MESSAGES / (KILLS + 1)) === 0 && children.length <= KILLS) {
      // Another waits already when the one that listens goes.
      await startListener();
      children.at(-2)?.kill('SIGKILL');
    }
    try {
      sender ??= await openSender(port);
      const answer = ackOf(await sender.send(admission(id)));
      if (answer[0] !== 'AA') continue;
      acknowledged.push(answer[1]!);
      n += 1;
    } catch {
      // As senders do: it sends the same again until it is told that it is safe.
      sender?.socket.destroy();
      sender = undefined;
    }
  }
  const here = and(eq(hl7Message.projectId, world.projectId), eq(hl7Message.feedId, feed.id));
  const rows = await vi.waitFor(async () => {
    const all = await db().select().from(hl7Message).where(here).orderBy(asc(hl7Message.seq));
    expect(all.filter(({ state }) => state === 'waiting' || state === 'running')).toEqual([]);
    return all;
  }, WAIT);
  expect(rows.map(({ controlId }) => controlId)).toEqual(acknowledged);
  const failed = rows.filter(({ state }) => state === 'failed');
  // One at most was in the middle of its run when its process was killed.
  expect(failed.length).toBeLessThanOrEqual(KILLS);
  for (const { failure } of failed) expect(failure).toContain('The server was stopped while the bot ran');
  const marks = await countMarks();
  const done = rows.filter(({ state }) => state === 'done');
  expect(done.filter(({ controlId }) => marks.get(controlId) !== 1)).toEqual([]);
  for (const { controlId } of failed) expect(marks.get(controlId) ?? 0).toBeLessThanOrEqual(1);
}, 1_800_000);

/** By the name that the bot has given each. */
async function countMarks(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let path: string | undefined = '/fhir/R4/Basic?_count=1000&_elements=identifier';
  while (path) {
    const { body, status, text } = await callApi(world.owner.bearer, 'GET', path);
    expect(status, text).toBe(200);
    for (const { resource } of body.entry ?? []) {
      const value = resource.identifier[0].value;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const next: { url: string } | undefined = body.link?.find(
      ({ relation }: { relation: string }) => relation === 'next',
    );
    path = next?.url.slice(next.url.indexOf('/fhir/'));
  }
  return counts;
}
