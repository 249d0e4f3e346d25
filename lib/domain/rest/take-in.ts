import { takeTurns } from '#lib/base/turns.ts';
import type { Meta, Resource } from '#lib/protocol/fhir/types.ts';
import { accountsIn, mayPlace } from '../access/accounts.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { requireConformant } from '../conformance/require-conformant.ts';
import { requireSound } from './require-resource.ts';

/** The body of a write as a resource that the project takes: sound, and conformant. Others come first between two looks at a large one. */
export async function takeIn(ctx: Ctx, type: string, body: unknown, id?: string): Promise<Resource> {
  const turn = takeTurns();
  const { resource: sound, judged } = requireSound(type, withoutAccounts(body), id);
  const resource = withAccounts(ctx, sound, body);
  await turn();
  await requireConformant(ctx, resource, judged, id);
  await turn();
  return resource;
}

/** What an administrator says of its accounts, as the body has it; from others that is no part of it. Throws 400. */
export function withAccounts<R extends Resource>(ctx: Ctx, resource: R, body: unknown): R {
  const accounts = mayPlace(requireActor(ctx)) ? accountsIn(metaOf(body)) : undefined;
  return accounts ? { ...resource, meta: { ...resource.meta, accounts } } : resource;
}

/** As it is judged: who may not say them is not told that they are wrong, either. */
function withoutAccounts(body: unknown): unknown {
  const meta = metaOf(body);
  if (!meta || (meta.account === undefined && meta.accounts === undefined)) return body;
  const { account: _, accounts: __, ...rest } = meta;
  const { meta: ___, ...resource } = body as Resource;
  return Object.keys(rest).length > 0 ? { ...resource, meta: rest } : resource;
}

function metaOf(body: unknown): Meta | undefined {
  const meta = (body as { meta?: unknown } | null | undefined)?.meta;
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : undefined;
}
