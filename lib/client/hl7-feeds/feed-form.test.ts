import { expect, test } from 'vitest';
import type { Hl7Feed } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { feedRequest } from '#lib/protocol/hl7/feeds/feed-requests.ts';
import { newFeedForm, toFeedForm, toFeedRequest, waysOf } from './feed-form.ts';

const PRINT = 'AB'.repeat(32).match(/../g)!.join(':');
const BOT = { reference: 'Bot/01a20d3f-510b-4ebd-8873-d26e174813de', display: 'Admits' };
const SERVER = { host: '127.0.0.1', ports: { from: 2575, to: 2577 }, tlsPort: 2600, tls: true };
const FEED: Hl7Feed = {
  ...{ id: 'x', name: 'Admissions', bot: BOT, port: 2575, tls: false, clientCertificate: null, allowedAddress: [] },
  ...{ answer: 'stored', active: true, version: 'v', createdAt: '2026-01-01T00:00:00Z' },
  state: {
    ...{ listening: true, connections: 0, lastMessageAt: null, received: 0, repeated: 0, refused: 0 },
    ...{ waiting: 0, failed: 0, fault: null, faultAt: null },
  },
};

test.each<Partial<Hl7Feed>>([
  {},
  { answer: 'bot', allowedAddress: ['10.0.0.0/8', '192.0.2.7'] },
  { tls: true, clientCertificate: PRINT },
  { tls: true },
  { port: null, tls: true, clientCertificate: PRINT },
])('a feed that was only looked at is asked for as it is: %j', (given) => {
  const feed = { ...FEED, ...given };
  const { bot, clientCertificate, ...asked } = feedRequest.parse(toFeedRequest(toFeedForm(feed), true));
  const { name, port, tls, allowedAddress, answer } = feed;
  expect(asked).toEqual({ name, port, tls, allowedAddress, answer, active: true });
  expect(bot.reference).toBe(BOT.reference);
  expect(clientCertificate).toBe(feed.clientCertificate?.replaceAll(':', '').toLowerCase() ?? null);
});

test('a new one gets a port that no other has, by a way that the server offers', () => {
  expect(newFeedForm(SERVER, [FEED])).toMatchObject({ way: 'port', port: '2576' });
  const all = [2575, 2576, 2577].map((port) => ({ ...FEED, port }));
  expect(newFeedForm(SERVER, all).port).toBe('');
  expect(newFeedForm({ ...SERVER, ports: null }, [])).toMatchObject({ way: 'certificate', port: '' });
  expect(waysOf({ ...SERVER, ports: null, tlsPort: null })).toEqual([]);
});
