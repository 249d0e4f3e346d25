import { expect, test } from 'vitest';
import { eventName, keptHeaders } from './kept-headers.ts';

test('of headers what says which event it is is kept, and nothing that may be a credential', () => {
  const kept = {
    'x-medplum-deleted-resource': 'Patient/1',
    'x-gatehouse-scheduled-at': '2026-01-01T00:00:00.000Z',
    'idempotency-key': 'a',
    'x-github-event': 'push',
    'x-shopify-topic': 'orders/create',
    'webhook-id': 'msg_1',
  };
  const others = {
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-api-key': 'x',
    'x-acme': 'x',
    'x-session-id': 'x',
    'x-medplum-auth-token': 'x',
    'stripe-signature': 'x',
    'x-shopify-hmac-sha256': 'x',
    'content-type': 'application/json',
    'x-long-id': 'x'.repeat(301),
  };
  expect(keptHeaders({ ...kept, ...others })).toEqual(kept);
  expect(keptHeaders(others)).toBeNull();
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}-id`, 'x']));
  expect(Object.keys(keptHeaders(many)!)).toHaveLength(20);
});

test('where nothing is kept an event of ours still has its name, and nothing of a caller stays', () => {
  const headers = { 'idempotency-key': 'k', 'x-github-event': 'push' };
  for (const trigger of ['subscription', 'cron', 'hl7', 'mail'])
    expect(eventName(trigger, headers)).toEqual({ 'idempotency-key': 'k' });
  for (const trigger of ['http', 'webhook', 'replay', 'bot']) expect(eventName(trigger, headers)).toBeNull();
  expect(eventName('cron', {})).toBeNull();
});
