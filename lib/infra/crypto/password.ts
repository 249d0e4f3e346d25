import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { env } from '#lib/base/env.ts';
import { createLane, type Lane } from '#lib/base/lane.ts';

/** OWASP password storage cheat sheet: scrypt N=2^15, r=8, p=3 (32 MiB a hash). The parameters stand in the hash, so they can rise. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
/** Only where no server runs: the tests make thousands of hashes. */
const COST_IN_TESTS = { N: 2 ** 10, r: 8, p: 1 };

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const cost = env().NODE_ENV === 'test' ? COST_IN_TESTS : COST;
  const key = await derive(password, salt, cost);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

let decoy: Promise<string> | undefined;

/** Takes as long for an unknown person (no hash) as for a wrong password. */
export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  const [, n, r, p, salt, key] = (hash ?? (await decoy)).split('$');
  const kept = Buffer.from(key ?? '', 'base64url');
  const given = await derive(password, Buffer.from(salt ?? '', 'base64url'), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, kept) && hash !== undefined;
}

/** Who would wait behind more is gone before their turn. */
export const SIGNING_IN = { most: 200, refusal: 'Too many are signing in at this moment' };

/** A hash takes a core for a tenth of a second: a storm of sign-ins leaves the others to those who are signed in. */
let lane: Lane | undefined;

function ownLane(): Lane {
  const ofProcess = availableParallelism() / 2 / env().SERVER_PROCESSES;
  lane ??= createLane(Math.max(1, Math.floor(ofProcess)), SIGNING_IN);
  return lane;
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, 32, { ...cost, maxmem: 128 * 1024 * 1024 }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  return ownLane()(work);
}
