import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { CONTROLS } from '#lib/protocol/fhir/search/controls.ts';
import { type Ctx, requireActor, type Write } from '../../access/context.ts';
import { gateOf } from '../../access/fields.ts';
import { reach } from '../../access/policy.ts';
import { parseOwn } from '../../store/own-params/parse-own.ts';
import type { Row } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { resolveLinks } from './resolve-links.ts';

/**
 * The one resource that the condition of a conditional write means, or undefined; 412 for several. It is looked for within what the
 * caller may search, so that a condition tells them nothing that a search would not: 403 when that is nothing. Holds the condition's
 * lock until the commit, so that of two equal conditional writes the second sees what the first wrote.
 */
export async function findMatch(
  ctx: Ctx & { write: Write },
  type: string,
  condition: string,
): Promise<Row | undefined> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const { tx } = ctx.write;
  const within = reach(actor, type, 'search');
  const params = conditionParams(type, condition);
  const query = await parseOwn(
    type,
    params,
    projectId,
    { baseUrl: fhirBase(), isLinking: true, gate: gateOf(actor) },
    tx,
  );
  const key = JSON.stringify([projectId, type, params.toSorted()]);
  await lockName(tx, `condition:${key}`);
  const resolved = await resolveLinks(ctx, query, within);
  const { rows } = await searchRows(projectId, { ...query, ...resolved, count: 2 }, within, tx);
  if (rows.length > 1) throw new AppError('multiple-matches', `Several ${type} resources match the condition`);
  return rows[0];
}

/** With or without a leading `?` or `Type?`. What shapes an answer has no place here, and no criteria would mean every resource. */
export function conditionParams(type: string, condition: string): [string, string][] {
  const query = condition.replace(new RegExp(`^(?:${type})?\\?`), '');
  const params = [...new URLSearchParams(query)].filter(([name]) => name !== '_format' && name !== '_pretty');
  const control = params.find(([name]) => CONTROLS.has(name));
  if (control) throw new AppError('invalid', `${control[0]} has no meaning in a condition`, { expression: control[0] });
  if (params.length === 0)
    throw new AppError('precondition-failed', 'The condition is empty: it needs a search parameter');
  return params;
}
