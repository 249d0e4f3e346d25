import { AppError, ERRORS } from '#lib/base/errors.ts';
import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { takenBack } from '../audit/taken-back.ts';
import { findPlaceFault } from '../bounds/within-bounds.ts';
import { createResource } from '../rest/create-resource.ts';
import { deleteResource } from '../rest/delete-resource.ts';
import { readHistory } from '../rest/history/read-history.ts';
import { readResource } from '../rest/read-resource.ts';
import { readVersion } from '../rest/read-version.ts';
import { requireRight } from '../rest/require-right.ts';
import { searchResources } from '../rest/search/search-resources.ts';
import { shown } from '../rest/shown.ts';
import { updateResource } from '../rest/update-resource.ts';
import { type Row, toResource } from '../store/row.ts';

/** How the request itself would end. `text` of a refusal. */
export type Attempt = { isAllowed: boolean; status: number; text?: string; bundle?: string };

/** What refuses a request because of who asks, or would be told to them so. What else is wrong with it, the asker is told. */
const REFUSALS = new Set(['forbidden', 'not-found', 'method-not-allowed', 'gone']);

/**
 * The very request, with these rights; what it would write is taken back. `row`: the resource that it is about, as it is stored. What it reads
 * is not noted as read by them.
 */
export async function attempt(ctx: Ctx, member: Actor, asked: ExplainRequest, row?: Row): Promise<Attempt> {
  const { requestId, userAgent, judging } = ctx;
  const { glass: _, ...subject } = member;
  const inner: Ctx = {
    requestId,
    userAgent,
    judging,
    remoteAddress: asked.address ?? '',
    actor: { ...subject, auditReads: false },
    ...(ctx.write && { write: ctx.write }),
  };
  const fault = asked.address && findPlaceFault(member, { remoteAddress: asked.address });
  if (fault) return { isAllowed: false, status: 403, text: fault };
  try {
    return await run(inner, asked, row);
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error;
    return { isAllowed: false, status: ERRORS[error.code].status, text: error.message };
  }
}

const OK = { isAllowed: true, status: 200 };

async function run(ctx: Ctx, asked: ExplainRequest, row: Row | undefined): Promise<Attempt> {
  const { interaction, resourceType: type, id = '', versionId = '', resource, query } = asked;
  if (interaction === 'search' && query !== undefined) {
    return { ...OK, bundle: await searchResources(ctx, type, [...new URLSearchParams(query)]) };
  }
  if (interaction === 'create' && resource) {
    await takenBack(ctx, (inner) => createResource(inner, type, resource));
    return { isAllowed: true, status: 201 };
  }
  await requireRight(ctx, type, interaction, asked.id);
  if (asked.id === undefined) return OK;
  if (interaction === 'read') await readResource(ctx, type, id);
  if (interaction === 'vread') await readVersion(ctx, type, id, versionId);
  if (interaction === 'history') await readHistory(ctx, type, id, { count: 1 });
  if (interaction === 'update') {
    const next = resource ?? (row && !row.deleted ? toResource(await shown(ctx.actor!, row)) : undefined);
    await takenBack(ctx, (inner) => updateResource(inner, type, id, next && { ...next, id: next.id ?? id }));
  }
  if (interaction === 'delete') {
    let isDone = false;
    await takenBack(ctx, async (inner) => {
      isDone = await deleteResource(inner, type, id);
    });
    if (!isDone) return { isAllowed: false, status: 200, text: 'It is gone for them already: nothing is deleted' };
  }
  return OK;
}
