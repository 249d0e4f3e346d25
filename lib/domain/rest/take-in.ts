import { takeTurns } from '#lib/base/turns.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { requireConformant } from '../conformance/require-conformant.ts';
import { requireSound } from './require-resource.ts';

/** The body of a write as a resource that the project takes: sound, and conformant. Others come first between two looks at a large one. */
export async function takeIn(ctx: Ctx, type: string, body: unknown, id?: string): Promise<Resource> {
  const turn = takeTurns();
  const { resource, judged } = requireSound(type, body, id);
  await turn();
  await requireConformant(ctx, resource, judged, id);
  await turn();
  return resource;
}
