import { AppError } from '#lib/base/errors.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Actor } from '../../access/context.ts';
import { gateOf } from '../../access/fields.ts';
import { type Row, toResource } from '../row.ts';
import type { Subscription } from './read-subscription.ts';

/** Whether the criteria of a subscription ask by what this reader does not see of some resources: that it fires would tell them. */
export function asksHidden(actor: Pick<Actor, 'policy' | 'projectId'>, of: Row | Subscription): boolean {
  const gate = gateOf(actor);
  if (!gate) return false;
  const { criteria = '' } = 'projectId' in of ? toResource<Subscription>(of) : of;
  const [type = '', query = ''] = criteria.split(/\?(.*)/s);
  let isHidden = false;
  const noting: typeof gate = (...asked) => {
    isHidden ||= gate(...asked) !== undefined;
    return undefined;
  };
  try {
    parseSearch(type, [...new URLSearchParams(query)], actor.projectId, { isJudging: true, gate: noting });
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
  return isHidden;
}
