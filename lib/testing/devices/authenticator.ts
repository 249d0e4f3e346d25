import { TOTP } from 'otpauth';

/** A person's authenticator app. Each code is of a step of its own: one counts once. */
export type Authenticator = { next(): string; wrong(): string };

const STEP_MS = 30_000;
/** So long before a step ends the next one is waited for: the code of a step ago would be too old when it arrives. */
const NEAR_END_MS = 28_500;

/**
 * The one that scans this address. The first codes are those of a step ago, now and a step ahead, so there are three at once; who wants one
 * more, or began at the end of a step, waits until it is good.
 */
export function scan(uri: string): Authenticator {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const totp = new TOTP({ secret });
  let last = 0;
  const current = () => Math.floor(Date.now() / STEP_MS);
  const codeOf = (step: number) => totp.generate({ timestamp: step * STEP_MS });
  const valid = () => [-1, 0, 1, 2].map((at) => codeOf(current() + at));
  return {
    next: () => {
      const first = Date.now() % STEP_MS > NEAR_END_MS ? current() : current() - 1;
      last = Math.max(last + 1, first);
      sleep((last - 1) * STEP_MS - Date.now());
      return codeOf(last);
    },
    wrong: () => ['000000', '000001', '000002', '000003', '000004'].find((code) => !valid().includes(code))!,
  };
}

function sleep(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
