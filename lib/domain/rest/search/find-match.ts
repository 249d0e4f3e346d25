import { AppError } from '#lib/base/errors.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { CONTROLS } from '#lib/protocol/fhir/search/controls.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Actor, Write } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import type { Row } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { isWithin } from '../../store/within-reach.ts';
import { fhirBase } from '../fhir-base.ts';

/**
 * The one resource that the condition of a conditional write means, or undefined. 412 for several, and for one that the caller may
 * not read: writing would make a duplicate that they cannot see. Holds the condition's lock until the commit, so that of two equal
 * conditional writes the second sees what the first wrote.
 */
export async function findMatch(w: Write, actor: Actor, type: string, condition: string): Promise<Row | undefined> {
  const { projectId } = actor;
  const params = conditionParams(type, condition);
  const query = parseSearch(type, params, projectId, { baseUrl: fhirBase() });
  const key = JSON.stringify([projectId, type, params.toSorted()]);
  await lockName(w.tx, `condition:${key}`);
  const { rows } = await searchRows(projectId, { ...query, count: 2 }, { op: 'all' }, w.tx);
  const [row, second] = rows;
  if (second) throw new AppError('multiple-matches', `Several ${type} resources match the condition`);
  if (!row) return undefined;
  const readable = mayReach(actor, type, 'search') && isWithin(reach(actor, type, 'search'), row);
  if (!readable) throw new AppError('precondition-failed', `A ${type} that you cannot read matches the condition`);
  return row;
}

/** With or without a leading `?` or `Type?`. What shapes an answer has no place here, and no criteria would mean every resource. */
function conditionParams(type: string, condition: string): [string, string][] {
  const query = condition.replace(new RegExp(`^(?:${type})?\\?`), '');
  const params = [...new URLSearchParams(query)].filter(([name]) => name !== '_format' && name !== '_pretty');
  const control = params.find(([name]) => CONTROLS.has(name));
  if (control) throw new AppError('invalid', `${control[0]} has no meaning in a condition`, { expression: control[0] });
  if (params.length === 0)
    throw new AppError('precondition-failed', 'The condition is empty: it needs a search parameter');
  return params;
}
