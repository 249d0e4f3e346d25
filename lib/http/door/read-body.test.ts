import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { BODY_LIMIT, jsonBody, readForm, readJson, readText } from './read-body.ts';

function post(
  body: BodyInit | null | undefined,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  return new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
}

/** A body whose length nobody says before. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const size = Math.min(left, 65_536);
      left -= size;
      if (size > 0) controller.enqueue(new Uint8Array(size).fill(0x20));
      else controller.close();
    },
  });
}

async function codeOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
    return 'ok';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('JSON', () => {
  test('every type of the family, with any charset; no type and no body are fine too', async () => {
    for (const type of [
      'application/json',
      'application/fhir+json; charset=utf-8',
      'APPLICATION/SCIM+JSON',
      'application/json-patch+json',
      '',
    ]) {
      expect(await readJson(post('{"a":1}', { 'content-type': type }))).toEqual({ a: 1 });
    }
    expect(await readJson(post(null, { 'content-type': 'text/plain' }))).toBeUndefined();
    expect(await readJson(post('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  test('any other type is 415', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'text/json',
      'application/jsonx',
    ]) {
      expect(await codeOf(readJson(post('{}', { 'content-type': type })))).toBe('unsupported-media-type');
    }
  });

  test('what is not JSON is 400: malformed, a key twice, a key that reaches for prototypes, too deep', async () => {
    const bad = [
      '{',
      '{"a":1,}',
      'a',
      '{"a":1}{',
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1}',
      '{"a":{"__proto__":{}}}',
    ];
    for (const text of [
      ...bad,
      '{"constructor":{"prototype":{}}}',
      '['.repeat(101) + ']'.repeat(101),
      '['.repeat(200_000),
    ]) {
      expect([text.slice(0, 40), await codeOf(readJson(post(text)))]).toEqual([text.slice(0, 40), 'structure']);
    }
    expect({}).not.toHaveProperty('polluted');
  });

  test('NUL and half a surrogate pair are 400 and named; a whole pair and a backslash are not', async () => {
    for (const text of ['{"a":{"b":["x","\\u0000"]}}', '{"a":{"b":["x","\\uD800"]}}', '{"a":{"b":["x","\\udfffz"]}}']) {
      await expect(readJson(post(text))).rejects.toMatchObject({
        code: 'structure',
        issues: [{ expression: 'a.b[1]' }],
      });
    }
    expect(await codeOf(readJson(post('{"a\\u0000":1}')))).toBe('structure');
    expect(await readJson(post('{"a":"\\uD83D\\uDE00 \\\\u0000"}'))).toEqual({ a: '😀 \\u0000' });
  });
});

describe('size and encoding', () => {
  test('one MiB is taken, a byte more is 413, said beforehand or not', async () => {
    expect((await readText(post(stream(BODY_LIMIT), {}))).length).toBe(BODY_LIMIT);
    expect(await codeOf(readText(post(stream(BODY_LIMIT + 1), {})))).toBe('content-too-large');
    expect(await codeOf(readText(post('', { 'content-length': String(BODY_LIMIT + 1) })))).toBe('content-too-large');
    expect(await codeOf(readText(post(' '.repeat(BODY_LIMIT + 1))))).toBe('content-too-large');
  });

  test('a body that lies about its length is stopped where it passes the limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    expect(await codeOf(readText(post(endless, { 'content-length': '10' })))).toBe('content-too-large');
    expect(pulled).toBeLessThan(2 * BODY_LIMIT);
  });

  test('a body that breaks off is its sender’s fault; one that is read twice is ours', async () => {
    const half = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
    expect(await codeOf(readText(post(half)))).toBe('structure');
    const twice = post('{}');
    await readText(twice);
    expect(await codeOf(readText(twice))).toContain('read once');
  });

  test('bytes that are not UTF-8 are 400', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
      expect(await codeOf(readJson(post(new Uint8Array([0x22, ...bytes, 0x22]))))).toBe('structure');
    }
  });

  test('a compressed body is 415: nothing here unpacks, so nothing here explodes', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'x-unknown', 'gzip, identity']) {
      const body = new Uint8Array(gzipSync('{}'));
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expect(await codeOf(readJson(post(body, headers)))).toBe('unsupported-media-type');
    }
    expect(await readJson(post('{}', { 'content-type': 'application/json', 'content-encoding': 'identity' }))).toEqual(
      {},
    );
  });
});

describe('forms', () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };

  test('are decoded', async () => {
    expect(Object.fromEntries(await readForm(post('a=1+2&b=%C3%A9&c', type)))).toEqual({ a: '1 2', b: 'é', c: '' });
  });

  test('of another type are 400, and so is NUL', async () => {
    expect(await codeOf(readForm(post('{}')))).toBe('invalid');
    await expect(readForm(post('a=x%00', type))).rejects.toMatchObject({ issues: [{ expression: 'a' }] });
  });
});

describe('a schema', () => {
  const schema = z.strictObject({ name: z.string().min(1), list: z.array(z.object({ n: z.number() })).optional() });

  test('gives every wrong field its own issue and path, below the root if there is one', async () => {
    const read = (root?: string) =>
      jsonBody(schema, root).read(post('{"name":"","list":[{"n":1},{"n":"2"}],"x":1,"y":2}'));
    const expected = ['name', 'list[1].n', 'x', 'y'];
    await expect(read()).rejects.toMatchObject({
      code: 'invalid',
      issues: expected.map((expression) => ({ expression })),
    });
    await expect(read('Project')).rejects.toMatchObject({
      issues: expected.map((expression) => ({ expression: `Project.${expression}` })),
    });
  });

  test('no body, an array and a bare value are 400', async () => {
    for (const body of [null, '[]', '7', '"text"', 'null']) {
      expect(await codeOf(jsonBody(schema).read(post(body)))).toBe('invalid');
    }
  });
});
