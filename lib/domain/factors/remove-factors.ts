import { sql } from 'drizzle-orm';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { findFactors } from './find-factors.ts';
import { dropRecoveryCodes } from './recovery-codes.ts';
import { tellFactors } from './tell-factors.ts';

/** Takes factors away; an authenticator's secret ends with it. The recovery codes go with the last. Gives those that were there. */
export async function removeFactors(
  w: Write,
  user: FoundUser,
  methods: FactorMethod[],
  how: 'remove' | 'reset',
  author?: string,
): Promise<FactorMethod[]> {
  const row = requireLive(await lockRow(w.tx, user.scope, 'User', user.id));
  const before = await findFactors(w.tx, user.id);
  const gone = before.filter((method) => methods.includes(method));
  if (gone.length === 0) return [];
  await w.tx.execute(sql`delete from factor where user_id = ${user.id} and ${isAnyOf(sql`method`, gone)}`);
  if (gone.length === before.length) await dropRecoveryCodes(w.tx, user.id);
  const template = how === 'remove' ? 'factor-removed' : 'factor-reset';
  await tellFactors(w, { row, action: `user.factor.${how}`, methods: gone, template, author });
  return gone;
}
