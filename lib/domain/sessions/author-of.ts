import { AppError, notFound } from '#lib/base/errors.ts';
import { scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import { clientTag } from '../access/cache-tags.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { loadActor } from './load-actor.ts';
import { narrowActor } from './narrow-actor.ts';
import { cachedActor, type LoadedActor } from './session-cache.ts';

type Author = {
  projectId: string;
  membershipId: string;
  /** Whose bounds hold. */
  clientId: string | null;
  scope: string;
  patient: string | null;
};

/** What tells later, without a login, with which rights somebody asked. */
export function toAuthor(actor: Actor): Author {
  const { projectId, membershipId, scope } = actor;
  const clientId = actor.client ? (actor.clientId ?? null) : null;
  return { projectId, membershipId, clientId, scope, patient: actor.patient ?? null };
}

/** Who asked for an export or an import, with what they may do at this moment. Throws 404 when they are no member any more, or their client is gone. */
export async function authorOf(author: Author): Promise<Actor> {
  try {
    return await loadAuthor(author);
  } catch (error) {
    if (error instanceof AppError && GONE.has(error.code)) throw notFound();
    throw error;
  }
}

/** Who asks for this, and who acts for them, with what they may do at this moment: it was asked a while ago. Throws 401 when one is no member any more. */
export async function asTheyStand(ctx: Ctx): Promise<Ctx> {
  const asked = requireActor(ctx);
  const caller = asked.caller && (await now(asked.caller));
  if (caller && !caller.admin)
    throw new AppError('unauthorized', 'Only an administrator can act on behalf of another member');
  return { ...ctx, actor: { ...(await now(asked)), ...(caller && { caller }) } };
}

/** So long somebody is who they were when they asked, as in any request. */
const FRESH_MS = 1000;

/**
 * Follows what whoever asks may do, for as long as something of theirs goes on: what is returned resolves to the context as it is in its first moment, and
 * then to that with them as they stand, the same one until something of it changes. It throws as `asTheyStand` does, also where `beside` is no member any more.
 */
export function followRights(ctx: Ctx, beside?: Actor): () => Promise<Ctx> {
  const asked = requireActor(ctx);
  const who = [asked, asked.caller, beside].filter((one) => one !== undefined);
  const freshUntil = performance.now() + FRESH_MS;
  let last: { stands: Actor[]; ctx: Ctx } | undefined;
  return async () => {
    if (performance.now() < freshUntil) return ctx;
    const stands = await Promise.all(who.map((one) => loadAuthor(toAuthor(one))));
    const isSame = last && stands.every((one, index) => one === last!.stands[index]);
    if (!last || !isSame) last = { stands, ctx: await asTheyStand(ctx) };
    return last.ctx;
  };
}

/** By what they came in stays, and so does a scope that was laid on them. */
async function now(asked: Actor): Promise<Actor> {
  const { loginId, clientId, secret, key, scim, view, byBot, askedBefore, policy } = asked;
  const session = { loginId, clientId, secret, key, scim, view, byBot, askedBefore };
  const stands = { ...(await loadAuthor(toAuthor(asked))), ...session };
  if (!policy.scope || stands.policy.scope) return stands;
  return { ...stands, admin: false, superAdmin: false, policy: { ...stands.policy, scope: policy.scope } };
}

function loadAuthor({ projectId, membershipId, clientId, scope, patient }: Author): Promise<Actor> {
  return cachedActor(JSON.stringify(['author', membershipId, clientId, patient, scope]), async () => {
    const launch = patient ? { launch: { ...LAUNCHED, patient: patient.slice('Patient/'.length) } } : {};
    const loaded = await loadActor({ projectId, membershipId, clientId: clientId ?? undefined, scope, ...launch });
    if (scopesBeyond(loaded.value.client?.scopes, scope).length > 0)
      throw new AppError('unauthorized', 'The client may not have these scopes any more');
    const tags: LoadedActor['tags'] = [...loaded.tags, ...(clientId ? [clientTag(clientId)] : [])];
    return { value: narrowActor(loaded.value), tags };
  });
}

const LAUNCHED = { by: 'person', needPatientBanner: false } as const;
/** As whoever has no rights any more is refused; `invalid` where a policy of theirs is gone. */
const GONE = new Set(['unauthorized', 'forbidden', 'not-found', 'invalid']);
