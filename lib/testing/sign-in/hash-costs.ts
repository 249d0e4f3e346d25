import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** What each password hash costs that is computed while `run` is under way: so nearly all of the time that it takes. */
export async function hashCosts(run: () => Promise<unknown>): Promise<ScryptOptions[]> {
  const spy = vi.spyOn(crypto, 'scrypt');
  syncBuiltinESMExports();
  try {
    await run();
    return spy.mock.calls.map((call) => call[3] as ScryptOptions);
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
}
