import { newId } from '#lib/base/ids.ts';
import { refuse } from '../progress.mjs';
import { ms, toMarkdown } from './table.ts';

/** What tells nobody whether an address has an account, by its answer (contract §1.5): nor may it by its time. */
const ASKED = [
  { name: 'Sign-in with a wrong password', path: 'auth/login', fields: { password: 'Wrong-Hammock-41' }, tries: 6 },
  { name: 'Forgotten password', path: 'auth/resetpassword', fields: {}, tries: 4 },
  { name: 'Sign-in by mail', path: 'auth/signinlink', fields: {}, tries: 4 },
  { name: 'By which way', path: 'auth/method', fields: {}, tries: 6 },
];
/** Between the medians of so many samples; two series of one and the same address differ by as much. */
const MOST_APART = 0.1;
const CHALLENGE = { codeChallenge: 'p'.repeat(43), codeChallengeMethod: 'plain' };

/**
 * Known addresses against such as nobody has, one of each in turn, so that what the machine does besides meets both. Ends the bench when the
 * medians are apart.
 */
export async function benchKnownOrNot(base: string, known: string[]): Promise<string> {
  const rows: string[][] = [];
  for (const { name, path, fields, tries } of ASKED) {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let at = 0; at < tries; at += 1) {
      for (const email of known) {
        const stranger = email.replace('@', `-${at}@`);
        for (const [kind, address] of inTurn(times.known.length, email, stranger)) {
          times[kind].push(await timeOf(`${base}/${path}`, { email: address, ...CHALLENGE, ...fields }));
        }
      }
    }
    const [one, other] = [median(times.known), median(times.unknown)];
    if (Math.abs(one / other - 1) > MOST_APART) refuse(`${name}: ${ms(one)} ms when known, ${ms(other)} ms when not`);
    rows.push([name, String(times.known.length), ms(one), ms(other), (one / other).toFixed(3)]);
  }
  return toMarkdown(['', 'Samples of each', 'p50 ms, known', 'p50 ms, unknown', 'Ratio'], rows);
}

/** Neither is always the first. */
function inTurn(at: number, known: string, unknown: string): ['known' | 'unknown', string][] {
  const both: ['known' | 'unknown', string][] = [
    ['known', known],
    ['unknown', unknown],
  ];
  return at % 2 === 0 ? both : both.toReversed();
}

/** From a network of its own: none is turned away for how many came before. */
async function timeOf(url: string, body: object): Promise<number> {
  const from = { 'x-forwarded-for': `2001:db8:${newId().slice(0, 4)}:${newId().slice(-4)}::1` };
  const start = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...from },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  const time = performance.now() - start;
  if (response.status === 429 || response.status >= 500) throw new Error(`${url} answered ${response.status}`);
  return time;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
