import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMask, WITHHELD } from './secret-mask.ts';

const KEY = 's3cr3t/+Key "é"\nline';
const mask = createMask([
  { name: 'KEY', valueString: KEY },
  { name: 'OTHER', valueString: 'abcdef' },
  { name: 'PIN', valueInteger: 1234567 },
  { name: 'SHORT', valueString: 'abc' },
])!;

test.each([
  ['as it is', KEY],
  ['in JSON', JSON.stringify(KEY).slice(1, -1)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
  ['in a URL', encodeURIComponent(KEY)],
  ['in a form', new URLSearchParams([['k', KEY]]).toString().slice(2)],
  ['in a URL with small escapes', encodeURIComponent(KEY).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['in small letters', KEY.toLowerCase()],
  ['in capitals', KEY.toUpperCase()],
  ['in markup', KEY.replaceAll('"', '&quot;')],
  ['in hex', Buffer.from(KEY).toString('hex')],
  ['in capital hex', Buffer.from(KEY).toString('hex').toUpperCase()],
])('a secret is found %s', async (_, text) => {
  expect(await mask(`before ${text} after`)).toBe('before [secret KEY] after');
});

test.each([0, 1, 2, 3, 4])('a secret is found in base64 that begins %i bytes before it', async (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = Buffer.from(`${'x'.repeat(before)}${KEY}${'y'.repeat(5)}`).toString(encoding);
    expect(await mask(text)).toContain('[secret KEY]');
  }
});

test('values below six characters stay, and numbers are found', async () => {
  expect(await mask('abc abcdef 1234567 123456')).toBe('abc [secret OTHER] [secret PIN] 123456');
});

test('what is masked stays JSON, or is withheld', async () => {
  expect(JSON.parse(await mask(JSON.stringify({ a: KEY, b: ['abcdef'] }), { json: true }))).toEqual({
    a: '[secret KEY]',
    b: ['[secret OTHER]'],
  });
  expect(JSON.parse(await mask('{"n":1234567}', { json: true }))).toBe(WITHHELD);
});

test('a text that was cut off in the middle of a long secret does not end with its beginning', async () => {
  expect(await mask(`log ${KEY.slice(0, 10)}`, { cut: true })).toBe('log [secret KEY]');
  expect(await mask(`log ${KEY.slice(0, 10)}`)).toBe(`log ${KEY.slice(0, 10)}`);
});

const LONG_KEY = 'sk_live_51HxQzT9wVbN3mKfR7yLpD2cA8jGe4uXoW6i';

test.each(['…', '… (log cut at 64 KiB)', '', '\uFFFD…', '\uD83D…'])(
  'a secret that was cut off anywhere is found where %j stands behind it',
  async (end) => {
    const ofLong = createMask([{ name: 'K', valueString: LONG_KEY }])!;
    for (let told = 8; told <= LONG_KEY.length; told += 1) {
      const text = `log ${LONG_KEY.slice(0, told)}${end}`;
      expect(await ofLong(text, { cut: true })).toBe(`log [secret K]${end}`);
    }
    expect(await ofLong(`log ${LONG_KEY.slice(0, 20)}${end}`)).toBe(`log ${LONG_KEY.slice(0, 20)}${end}`);
    const within = `${LONG_KEY.slice(0, 20)}… and more${end}`;
    expect(await ofLong(within, { cut: true })).toBe(within);
  },
);

test('of a secret that was cut off nothing is told, though it begins with another', async () => {
  const ofTwo = createMask([
    { name: 'ONE', valueString: LONG_KEY.slice(0, 10) },
    { name: 'TWO', valueString: LONG_KEY },
  ])!;
  expect(await ofTwo(`log ${LONG_KEY.slice(0, 30)}…`, { cut: true })).toBe('log [secret TWO]…');
  expect(await ofTwo(`log ${LONG_KEY.slice(0, 10)}…`, { cut: true })).toBe('log [secret ONE]…');
});

test('a secret that ends as what was cut off does is found whole', async () => {
  const ofShort = createMask([{ name: 'K', valueString: 'abcdef…' }])!;
  expect(await ofShort('log abcdef…', { cut: true })).toBe('log [secret K]');
});

/** Where URL writes it. */
const ADDRESSES: [string, (value: string) => string][] = [
  ['the name', (value) => Object.assign(new URL('https://x/'), { username: value }).href],
  ['the password', (value) => Object.assign(new URL('https://x/'), { password: value }).href],
  ['the path', (value) => Object.assign(new URL('https://x/'), { pathname: `/a/${value}/b` }).href],
  ['the search', (value) => Object.assign(new URL('https://x/'), { search: `?k=${value}&l=1` }).href],
  ['the hash', (value) => Object.assign(new URL('https://x/'), { hash: `#${value}` }).href],
  ['an address with it as a segment', (value) => new URL(`https://x/a/${value}/b`).href],
  ['an address with it as a query', (value) => new URL(`https://x/a?k=${value}&l=1`).href],
  ['an address with it behind a hash', (value) => new URL(`https://x/a#${value}`).href],
];
const ODD = [
  'p@ss&word+1',
  'pass wo"rd/9',
  "it's <se>`cret`|^{1}",
  'ab?cd#ef=gh:ij;[k]',
  'Pässwort/\\1 é\tx',
  'abc\ndef ghi',
];

test.each(ADDRESSES)('a secret is found in %s of a URL', async (_, toHref) => {
  for (const valueString of ODD)
    expect(await createMask([{ name: 'K', valueString }])!(toHref(valueString)), valueString).toMatch(
      /^https:\/\/[^[]*\[secret K\][^[]*$/,
    );
});

test('what URL leaves of a secret that leads elsewhere is no secret', async () => {
  const ofPath = createMask([{ name: 'K', valueString: 'abcdef/../Patient' }])!;
  expect(await ofPath('Patient abcdef/../Patient')).toBe('Patient [secret K]');
});

test.each([
  ["it's-secret1", ['it&#39;s-secret1', 'it&#039;s-secret1', 'it&#x27;s-secret1', 'it&apos;s-secret1', "it's-secret1"]],
  ['say"&<so>', ['say&quot;&amp;&lt;so&gt;', 'say&#34;&amp;&lt;so&gt;', 'say"&amp;&lt;so&gt;']],
  [`a"b'c-secret`, ['a&quot;b&#x27;c-secret', 'a&#34;b&#39;c-secret', 'a&quot;b&apos;c-secret']],
  ['abc/def/ghi', ['abc\\/def\\/ghi', 'abc/def/ghi']],
  ['Pä/ßw€😀"x', ['P\\u00e4/\\u00dfw\\u20ac\\ud83d\\ude00\\"x', 'P\\u00E4/\\u00DFw\\u20AC\\uD83D\\uDE00\\"x']],
  ['Pä/ßw€"x', ['P\\u00e4\\/\\u00dfw\\u20ac\\"x', 'P\\u00E4\\/\\u00DFw\\u20AC\\"x', 'Pä\\/ßw€\\"x']],
])('a secret is found as others write it in markup and JSON: %s', async (valueString, written) => {
  const ofOne = createMask([{ name: 'K', valueString }])!;
  for (const text of written) expect(await ofOne(`x ${text} y`), text).toBe('x [secret K] y');
});

test('without secrets that are long enough there is nothing to do', () => {
  expect(createMask([{ name: 'A', valueString: 'short' }])).toBeUndefined();
});

test.each(['hunter2-prod!\n', ' P4ss word of ours\r\n'])(
  'a secret is found without what is white about it: %j',
  async (valueString) => {
    const ofLine = createMask([{ name: 'K', valueString }])!;
    expect(await ofLine(`Bearer ${valueString.trim()}, and`)).toBe('Bearer [secret K], and');
    expect(await ofLine(`x${JSON.stringify(valueString)}`)).toBe('x"[secret K]"');
  },
);

test('as many long secrets as there may be are made ready in turns', async () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ name: `N${n}`, valueString: `${n} é`.repeat(6000) }));
  const ofMany = createMask(many)!;
  let turns = 0;
  const counted = setInterval(() => (turns += 1), 0);
  const first = await Promise.all([ofMany('nothing of it'), ofMany(`x ${many[7]!.valueString} y`)]);
  clearInterval(counted);
  expect(first).toEqual(['nothing of it', 'x [secret N7] y']);
  expect(turns).toBeGreaterThan(1);
});

test('a text that is made to look like a secret everywhere ends soon, and is withheld', async () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ name: `N${n}`, valueString: `${'a'.repeat(60)}b${n}` }));
  expect(await createMask(many)!('a'.repeat(6 * 1024 * 1024))).toBe(WITHHELD);
});

test('each line of a key is found, whatever became of its line ends', async () => {
  const lines = ['MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onL', 'RnrqKcbNVQHHKtkn7xWA=='];
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
  for (const valueString of [pem, pem.replaceAll('\n', '\\n')]) {
    const ofKey = createMask([{ name: 'PEM', valueString }])!;
    for (const told of [lines.join(''), lines.join('\r\n'), `one ${lines[1]}`, pem.replaceAll('\n', '\r\n'), pem])
      for (const line of lines) expect(await ofKey(told)).not.toContain(line.slice(0, 20));
  }
});

test('of what base64 writes in either alphabet all is found, wherever these differ', async () => {
  // Both are alike for 80 characters, and differ then.
  const valueString = `${'a'.repeat(60)}${'~~~???>>>'.repeat(6)}end`;
  const ofLong = createMask([{ name: 'K', valueString }])!;
  for (const encoding of ['base64', 'base64url'] as const) {
    const told = Buffer.from(valueString).toString(encoding);
    expect(await ofLong(`x ${told} y`)).toBe('x [secret K] y');
  }
});

test('lines of a secret that are no key, as of JSON, are no secrets', async () => {
  const lines = ['{', '  "resourceType": "Patient",', '  "active": true', '}'];
  const ofJson = createMask([{ name: 'J', valueString: lines.join('\n') }])!;
  const text = '{\n  "resourceType": "Patient",\n  "id": 1\n}';
  expect(await ofJson(text, { json: true })).toBe(text);
  expect(await ofJson(lines.join('\n'))).toBe('[secret J]');
});

test('however many secrets begin alike, each place is looked at once for each length, and others come in between', async () => {
  const many = Array.from({ length: 1200 }, (_, n) => ({ name: `N${n}`, valueString: `${'a'.repeat(60)}b${n}` }));
  const ofMany = createMask(many)!;
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  });
  const begun = performance.now();
  for (let line = 0; line < 40; line += 1) expect(await ofMany('a'.repeat(1650), { cut: true })).toContain('[secret N');
  clearInterval(counting);
  // Whenever ten milliseconds are over.
  if (performance.now() - begun > 100) expect(turns).toBeGreaterThan(1);
  expect(await ofMany(`x ${many[700]!.valueString} y`)).toBe('x [secret N700] y');
});

test('whatever stands around them, secrets are never told, and what is none stays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.constant(KEY), fc.constant('abcdef'))), async (parts) => {
      const masked = await mask(parts.join(''));
      expect(masked).not.toContain(KEY);
      expect(masked).not.toContain('abcdef');
      const plain = parts.filter((part) => part !== KEY && part !== 'abcdef').join('');
      expect(masked.replaceAll(/\[secret \w+\]/g, '').length).toBeLessThanOrEqual(plain.length);
    }),
  );
});
