import { AppError, notFound } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import type { AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { isTooHeavy, TOO_HEAVY } from '../access/access-weight.ts';
import type { Actor } from '../access/context.ts';
import { policiesOf } from '../access/policies-of.ts';
import { compilePolicy } from '../access/policy.ts';
import { requireSound } from '../rest/require-resource.ts';
import { requireJudgeable } from '../rest/rules/access-policy.ts';
import { requireBases } from '../rest/rules/policy-bases.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { narrowActor } from '../sessions/narrow-actor.ts';
import { findRow } from '../store/find-row.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { findLineages } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';

/** Under this the policy stands that is not stored. */
export const DRAFT = 'AccessPolicy/draft';

/** Whose rights are explained. `fault`: why they have none at all. */
export type Subject = {
  membership: ProjectMembership;
  policies: ReadonlyMap<string, AccessPolicy>;
  actor?: Actor;
  fault?: AppError;
};

/** `draft`: one that was read already, instead of that in the request. `beside`: what others are by their references, as they are about to be stored. */
export type Asked = {
  projectId: string;
  asked: ExplainRequest;
  draft?: AccessPolicy;
  beside?: ReadonlyMap<string, AccessPolicy>;
};

/** The member as they would come in now, or as they would with the draft. Throws 404 for no membership, 400 for a wrong draft. */
export async function loadSubject(
  asker: Actor,
  { projectId, asked, draft: known, beside }: Asked,
  q: Queryable = db(),
): Promise<Subject> {
  await knowParams(projectId);
  const draft = known ?? (asked.policy && (await readDraft(asked.policy, projectId)));
  const stored = asked.membership ? await findMembership(projectId, asked.membership, q) : undefined;
  if (!stored) return ofDraft(asker, { projectId, asked, draft: draft!, beside, q });
  const policies = await findLineages(projectId, policiesOf(stored), {
    q,
    ...(draft && { known: new Map([[DRAFT, draft], ...(beside ?? [])]) }),
  });
  policies.delete(DRAFT);
  const changed = draft && withDraft(stored, policies, draft, asked);
  if (changed) requireLight(changed);
  try {
    const { value } = await loadActor({
      projectId,
      membershipId: stored.id!,
      scope: asked.scope ?? '',
      inPerson: true,
    });
    if (!changed) return { membership: stored, policies, actor: narrowActor(value) };
    const policy = await compilePolicy({ projectId, superAdmin: value.superAdmin, ...changed });
    return { ...changed, actor: narrowActor({ ...value, policy }) };
  } catch (error) {
    if (!(error instanceof AppError) || !FAULTS.has(error.code)) throw error;
    return { membership: stored, policies, fault: error };
  }
}

/** Of a membership out of its time, or whose access is broken. */
const FAULTS = new Set(['unauthorized', 'invalid']);

/** Nobody's yet: a program's or person's without a role. */
async function ofDraft(
  asker: Actor,
  { projectId, asked, draft, beside = new Map(), q }: Asked & { draft: AccessPolicy; q: Queryable },
): Promise<Subject> {
  const { parameter, profile, scope } = asked;
  if (asker.projectId !== projectId)
    throw new AppError('forbidden', 'A draft without a membership is explained to who is in the project');
  const entry = { policy: { reference: DRAFT }, ...(parameter && { parameter }) };
  const membership = {
    resourceType: 'ProjectMembership',
    ...(profile && { profile: { reference: profile } }),
    access: [entry],
  } as unknown as ProjectMembership;
  const policies = await findLineages(projectId, [], { q, known: new Map([[DRAFT, draft], ...beside]) });
  requireLight({ membership, policies });
  const policy = await compilePolicy({ projectId, membership, policies, superAdmin: false });
  const { caller: _caller, client: _client, key: _key, until: _until, ...project } = asker;
  const nobody = {
    membershipId: newId(),
    user: '',
    profile: profile ?? '',
    profileDisplay: undefined,
    loginId: undefined,
  };
  const actor = {
    ...project,
    ...nobody,
    clientId: undefined,
    admin: false,
    superAdmin: false,
    scope: scope ?? '',
    policy,
  };
  return { membership, policies, actor: narrowActor(actor) };
}

function requireLight({ membership, policies }: Pick<Subject, 'membership' | 'policies'>): void {
  if (isTooHeavy(membership, policies)) throw new AppError('invalid', TOO_HEAVY, { expression: 'policy' });
}

function withDraft(
  membership: ProjectMembership,
  policies: ReadonlyMap<string, AccessPolicy>,
  draft: AccessPolicy,
  { parameter }: ExplainRequest,
): Pick<Subject, 'membership' | 'policies'> {
  const own = `AccessPolicy/${draft.id ?? ''}`;
  if (!parameter && policies.has(own)) return { membership, policies: new Map([...policies, [own, draft]]) };
  const { accessPolicy: _whole, ...rest } = membership;
  const entry = { policy: { reference: DRAFT }, ...(parameter && { parameter }) };
  return {
    membership: { ...rest, access: [entry] } as ProjectMembership,
    policies: new Map([...policies, [DRAFT, draft]]),
  };
}

/** Held to what a policy is held to that is saved. */
export async function readDraft(body: AccessPolicy, projectId: string): Promise<AccessPolicy> {
  const { id, ...rest } = body as AccessPolicy & { id?: unknown };
  const { resource } = requireSound('AccessPolicy', rest);
  const policy = { ...(resource as unknown as AccessPolicy), ...(typeof id === 'string' && { id }) };
  await requireJudgeable(policy, projectId);
  await requireBases(policy, { projectId, own: `AccessPolicy/${policy.id ?? 'draft'}` });
  return policy;
}

async function findMembership(projectId: string, reference: string, q: Queryable): Promise<ProjectMembership> {
  const row = await findRow(projectId, 'ProjectMembership', reference.slice('ProjectMembership/'.length), q);
  if (!row || row.deleted) throw notFound();
  return toResource<ProjectMembership>(row);
}
