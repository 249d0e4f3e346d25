import { describe, expect, test } from 'vitest';
import { callAuth } from '#lib/testing/call-auth.ts';
import { corsHeaders } from './cors.ts';

const ORIGIN = 'https://app.example.com';

test('no headers for a caller that is no web page', () => {
  expect(corsHeaders(new Request('http://localhost/'))).toEqual({});
});

describe('for a page', () => {
  test('its exact origin, never *, with credentials, on answers of every kind', async () => {
    const headers = { origin: ORIGIN };
    const answers = [
      await callAuth('GET', '/.well-known/jwks.json', { headers }),
      await callAuth('GET', '/auth/me', { headers }),
      await callAuth('GET', '/auth/nothing', { headers }),
      await callAuth('PUT', '/auth/login', { headers }),
      await callAuth('POST', '/oauth2/token', { headers }),
      await callAuth('OPTIONS', '/oauth2/token', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 400, 204]);
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  test('everything that the contract lists may be sent and read', async () => {
    const { headers } = await callAuth('OPTIONS', '/auth/me', {
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-medplum',
      },
    });
    const allowed = headers.get('access-control-allow-headers')?.split(', ');
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'Authorization',
        'Content-Type',
        'Accept',
        'Prefer',
        'If-Match',
        'If-None-Match',
        'If-None-Exist',
      ]),
    );
    expect(allowed).toEqual(
      expect.arrayContaining([
        'X-Medplum',
        'X-Medplum-On-Behalf-Of',
        'X-Security-Context',
        'X-Trace-Id',
        'traceparent',
        'Idempotency-Key',
      ]),
    );
    expect(exposed).toEqual(
      expect.arrayContaining([
        'ETag',
        'Location',
        'Content-Location',
        'Last-Modified',
        'RateLimit',
        'Retry-After',
        'X-Request-Id',
        'Warning',
      ]),
    );
  });
});
