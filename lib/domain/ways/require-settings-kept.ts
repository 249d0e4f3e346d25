import { isDeepStrictEqual } from 'node:util';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { readBounds } from '#lib/protocol/sign-in/bounds.ts';
import { changesGuards } from '#lib/protocol/sign-in/guards.ts';
import { changesWays } from '#lib/protocol/sign-in/ways.ts';
import type { Actor, Ctx, Write } from '../access/context.ts';
import { refuse } from '../access/refuse.ts';
import { isFrom } from '../bounds/within-bounds.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { requireGlassSettings } from './require-glass-settings.ts';
import { requirePolicySetting } from './require-policy-setting.ts';
import { requireWayIn } from './require-way-in.ts';

type Settings = readonly ProjectSetting[];
type Change = { actor: Actor; projectId: string; before: Settings | undefined; after: Settings | undefined };

/**
 * What new settings of a project must leave: that its administrators can sign in, and that who sets the addresses is at one of them. Those that
 * guard the project need a proof of who sets them. Throws 409 with the reason, 403, and 400 for emergency access that would give nothing, and for a requirement that cannot be.
 */
export async function requireSettingsKept(
  { tx }: Write,
  { remoteAddress }: Ctx,
  { actor, projectId, before = [], after = [] }: Change,
): Promise<void> {
  if (changesGuards(before, after)) await requireProof(actor, tx);
  await requireGlassSettings(tx, { actor, projectId, before, after });
  await requirePolicySetting(tx, { actor, projectId, before, after });
  if (changesWays(before, after)) await requireWayIn(tx, actor, { projectId, setting: after });
  const [old, bounds] = [readBounds(before), readBounds(after)];
  // The super-admin enters by a project of their own.
  if (actor.projectId !== projectId || isDeepStrictEqual(old.addresses, bounds.addresses)) return;
  if (!isFrom(bounds, remoteAddress))
    throw refuse('locked-out', `You could not go on: your own address ${remoteAddress} is not one of these`);
}
