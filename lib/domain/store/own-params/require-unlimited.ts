import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Write } from '../../access/context.ts';
import { isUnlimited, mayReach } from '../../access/policy.ts';

/**
 * What a policy asks by is changed by who is limited by none, or may change policies: anybody else could give themselves what it keeps from them.
 * Throws 403 for one of these codes that criteria of the project mention.
 */
export async function requireUnlimited(w: Write, projectId: string, codes: readonly string[]): Promise<void> {
  if (!w.actor || isUnlimited(w.actor.policy) || mayReach(w.actor, 'AccessPolicy', 'update')) return;
  const written = codes.flatMap((code) => [`?${code}=`, `?${code}:`, `&${code}=`, `&${code}:`]);
  const [found] = await runText<{ name: string }>(w.tx, MENTIONED, [projectId, toTextArray(written)]);
  if (!found) return;
  const text = `Access policies of this project ask by ${found.name.slice(1, -1)}: an administrator may change it`;
  throw new AppError('forbidden', text, { expression: 'SearchParameter.code' });
}

const MENTIONED = `
  select asked.name from resource r, unnest($2::text[]) as asked (name)
  where r.project_id = $1::uuid and r.type_id = ${typeId('AccessPolicy')} and not r.deleted and strpos(r.content::text, asked.name) > 0
  limit 1`;
