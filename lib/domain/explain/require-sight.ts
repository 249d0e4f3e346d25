import { AppError } from '#lib/base/errors.ts';
import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { seesAll } from '../access/sees-all.ts';
import { requireTold } from '../sight/require-told.ts';

type Asked = Pick<ExplainRequest, 'id' | 'resource' | 'query'>;

/**
 * What is explained tells of memberships and policies, and of records whether they are there and what is in them, by way of criteria and
 * searches: of these only to who sees every record whole. Throws 403.
 */
export function requireSight(ctx: Ctx, projectId: string, { id, resource, query }: Asked): Actor {
  const actor = requireTold(ctx, projectId);
  const isOfRecords = id !== undefined || resource !== undefined || query !== undefined;
  if (isOfRecords && !seesAll(actor)) {
    const text =
      'A policy limits what you see: you can ask what a type is open for; who sees every record asks about one';
    throw new AppError('forbidden', text);
  }
  return actor;
}
