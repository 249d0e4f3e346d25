import { expect, onTestFinished, vi } from 'vitest';
import type { Hl7Feed } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { deployedBot } from './bots.ts';
import { freeFeedPort } from './hl7.ts';
import type { World } from './world.ts';

export type TestFeed = { id: string; port: number; botId: string };

/** A feed that is listened for, with a bot of this code; gone after the test. */
export async function makeFeed(world: World, code: string, more: object = {}): Promise<TestFeed> {
  const botId = await deployedBot(world, code);
  const port = await freeFeedPort();
  const body = { name: 'Feed', bot: { reference: `Bot/${botId}` }, port, ...more };
  const { body: feed, status, text } = await world.call('POST', '/hl7-feeds', { body });
  expect(status, text).toBe(201);
  await waitLong(async () => expect(await stateOfFeed(world, feed.id)).toMatchObject({ listening: true }));
  onTestFinished(async () => {
    await world.call('DELETE', `/hl7-feeds/${feed.id}`);
  });
  return { id: feed.id, port, botId };
}

/** A busy machine takes its time. */
export function waitLong<T>(check: () => Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval: 20 });
}

export async function stateOfFeed(world: World, id: string): Promise<Hl7Feed['state']> {
  return (await world.call('GET', `/hl7-feeds/${id}`)).body.state;
}
