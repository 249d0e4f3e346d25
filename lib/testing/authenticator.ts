import { TOTP } from 'otpauth';

/** A person's authenticator app. Each code is of a step of its own: one counts once. */
export type Authenticator = { next(): string; wrong(): string };

/** So long before a step ends the next one is waited for: the code of a step ago would be too old when it arrives. */
const NEAR_END_MS = 28_500;

/** The one that scans this address. The first codes are those of a step ago, now and a step ahead, so there are three. */
export function scan(uri: string): Authenticator {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const totp = new TOTP({ secret });
  let step = Date.now() % 30_000 > NEAR_END_MS ? 0 : -1;
  const valid = () => [-1, 0, 1, 2].map((at) => totp.generate({ timestamp: Date.now() + at * 30_000 }));
  return {
    next: () => {
      const code = totp.generate({ timestamp: Date.now() + step * 30_000 });
      step += 1;
      return code;
    },
    wrong: () => ['000000', '000001', '000002', '000003', '000004'].find((code) => !valid().includes(code))!,
  };
}
