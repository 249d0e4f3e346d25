import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { AppError, ERRORS, type ErrorCode } from '#lib/base/errors.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { START_CTX } from '#lib/testing/world.ts';
import { toErrorReply } from './error-reply.ts';

const request = new Request('http://localhost:3999/');

function replyTo(error: unknown, family: 'outcome' | 'oauth' = 'outcome') {
  const { status, body, headers, contentType } = toErrorReply(error, START_CTX, request, family);
  return { status, headers, contentType, body: JSON.parse(String(body)) };
}

/** Contract §1.1: what the peer’s clients derive the status from. */
const STATUS_OF_ID: Record<string, number> = {
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'precondition-failed': 412,
  'multiple-matches': 412,
  'content-too-large': 413,
  'unsupported-media-type': 415,
  'business-rule': 422,
  'too-many-requests': 429,
};

test('every code is an OperationOutcome whose id means its status to the peer’s clients', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { status, body, contentType } = replyTo(new AppError(code, 'Text'));
    expect(contentType).toBe('application/fhir+json; charset=utf-8');
    expect(body).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: expect.any(String) }],
    });
    if (body.id in STATUS_OF_ID) expect([code, STATUS_OF_ID[body.id]]).toEqual([code, status]);
    if (body.id === undefined) expect([400, 500, 503]).toContain(status);
  }
});

test('every code has an OAuth form with a name of RFC 6749, or of RFC 6750 for a token', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { body } = replyTo(new AppError(code, 'Text'), 'oauth');
    expect(Object.keys(body)).toEqual(['error', 'error_description']);
    expect(body.error).toMatch(code === 'unauthorized' ? /^invalid_token$/ : /^(invalid_request|server_error)$/);
  }
  expect(replyTo(new AppError('invalid', 'Text', { oauth: 'invalid_grant' }), 'oauth').body.error).toBe(
    'invalid_grant',
  );
});

test('one issue a field, each with its path', () => {
  const issues = [{ text: 'A', expression: 'a' }, { text: 'B', expression: 'b[0].c', code: 'required' }, { text: 'C' }];
  expect(replyTo(new AppError('invalid', 'Invalid', { issues })).body.issue).toEqual([
    { severity: 'error', code: 'invalid', details: { text: 'A' }, expression: ['a'] },
    { severity: 'error', code: 'required', details: { text: 'B' }, expression: ['b[0].c'] },
    { severity: 'error', code: 'invalid', details: { text: 'C' } },
  ]);
});

test('429 says for how many seconds, 401 how to authenticate, and both only they do', () => {
  expect(replyTo(new AppError('content-too-large', 'x')).headers).toMatchObject({ connection: 'close' });
  expect(replyTo(new AppError('too-many-requests', 'x', { retryAfterSeconds: 7 })).headers).toEqual({
    'retry-after': '7',
  });
  expect(replyTo(new AppError('unauthorized', 'x')).headers).toEqual({
    'www-authenticate': 'Bearer realm="http://localhost:3999"',
  });
  expect(replyTo(new AppError('forbidden', 'x')).headers).toEqual({});
});

test('a statement that PostgreSQL gave up on is the caller’s, who would repeat a 5xx', async () => {
  const slow = transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 20`);
    await tx.execute(sql`select pg_sleep(5)`);
  });
  const { status, body } = replyTo(await slow.catch((error: unknown) => error));
  expect([status, body.issue[0].code]).toEqual([400, 'too-costly']);
});

test('a bot’s own outcome goes out as it is', () => {
  const outcome = { resourceType: 'OperationOutcome', id: 'x', issue: [] };
  expect(replyTo(new AppError('invalid', 'x', { outcome })).body).toEqual(outcome);
});

test('503 and when to ask again while the database is away, 500 for what is our own fault', async () => {
  const lost = transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`));
  const away = [
    await lost.catch((error: unknown) => error),
    Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('x'), { code: 'CONNECT_TIMEOUT' }),
    Object.assign(new Error('x'), { code: '57P03', severity: 'FATAL' }),
    // A full disk, in Drizzle's wrapping.
    new Error('x', { cause: Object.assign(new Error('x'), { code: '53100', severity: 'ERROR' }) }),
  ];
  for (const error of away) {
    const { status, headers, body } = replyTo(error);
    expect([status, headers?.['retry-after'], body.issue[0].code]).toEqual([503, '5', 'transient']);
  }
  expect(replyTo(new Error('x')).status).toBe(500);
});
