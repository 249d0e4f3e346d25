import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, type Place, splitLines } from './split-lines.ts';

const START: Place = { line: 0, place: 0, hash: '' };

async function linesOf(chunks: readonly Uint8Array[], from = START, most = 1000): Promise<Line[]> {
  const all: Line[] = [];
  for await (const line of splitLines(
    (async function* () {
      yield* chunks;
    })(),
    from,
    most,
  ))
    all.push(line);
  return all;
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const text = fc
  .array(fc.constantFrom('a', 'é', '\n', '\r\n', '\u2028', '{"x":1}'), { maxLength: 60 })
  .map((parts) => parts.join(''));

test('however a file comes in pieces, its lines are the same; and from the place behind each of them the rest is', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(200), { maxLength: 8 }), async (given, cuts) => {
      const bytes = bytesOf(given);
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const whole = await linesOf([bytes]);
      expect(await linesOf(at.slice(1).map((to, n) => bytes.subarray(at[n], to)))).toEqual(whole);
      const wanted = given.split('\n').map((line, n, all) => (n < all.length - 1 ? line.replace(/\r$/, '') : line));
      if (wanted.at(-1) === '') wanted.pop();
      expect(whole.map((line) => line.bytes!.toString())).toEqual(
        wanted.map((line, n) => (n === wanted.length - 1 ? line.replace(/\r$/, '') : line)),
      );
      for (const [n, { after }] of whole.entries())
        expect(await linesOf([bytes.subarray(after.place)], after)).toEqual(whole.slice(n + 1));
    }),
  );
});

test('of a line that is too long only its end is found, and what comes next is whole', async () => {
  const lines = await linesOf([bytesOf(`${'x'.repeat(900)}`), bytesOf(`${'x'.repeat(900)}\nnext`)]);
  expect(lines.map(({ number, bytes }) => [number, bytes?.toString()])).toEqual([
    [1, undefined],
    [2, 'next'],
  ]);
});

test('another text has another hash, wherever it differs', async () => {
  const hashOf = async (given: string) => (await linesOf([bytesOf(given)])).at(-1)!.after.hash;
  const hashes = await Promise.all(['a\nb\n', 'ab\n\n', 'a\nc\n', 'a\nb', 'a\r\nb\n'].map(hashOf));
  expect(new Set(hashes).size).toBe(hashes.length);
});
