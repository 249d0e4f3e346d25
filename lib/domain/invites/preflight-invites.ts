import { sql } from 'drizzle-orm';
import { AppError, type Issue } from '#lib/base/errors.ts';
import { transaction } from '#lib/infra/db/client.ts';
import {
  PREFLIGHT_CLASSES,
  type Preflight,
  type PreflightClass,
  type PreflightRow,
} from '#lib/protocol/answers/preflight.ts';
import { passwordProblem } from '#lib/protocol/password-rules.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type InviteRequest, toTemplate } from '#lib/protocol/requests/invite-member.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { policiesOf } from '../access/policies-of.ts';
import { policyRequired } from '../memberships/require-policies.ts';
import { takenBy } from '../profiles/require-free-profile.ts';
import { parseInvite } from './invite-batch.ts';
import { accessOf, scopeOf } from './invite-member.ts';
import { type Known, loadKnown } from './load-known.ts';

type Verdict = Omit<PreflightRow, 'row'>;

/**
 * What each invite of a list would meet, in the order in which `inviteMember` looks: one snapshot of the project, in a transaction that
 * cannot write. A test holds the two together. It tells what is true inside the project: that somebody has an account elsewhere is not.
 */
export async function preflightInvites(ctx: Ctx, projectId: string, input: unknown[]): Promise<Preflight> {
  requireProjectAdmin(ctx, projectId);
  const parsed = input.map(parseInvite);
  const known = await transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    return loadKnown(tx, projectId, parsed.filter((row) => !(row instanceof AppError)) as InviteRequest[]);
  });
  const seen = new Set<string>();
  const rows = parsed.map((request, row): PreflightRow => {
    if (request instanceof AppError) return { row, class: 'bad-field', action: 'refuse', issues: request.issues };
    const again = keysOf(request).some((key) => seen.has(key));
    const verdict = judge(projectId, request, known, again && !request.forceNewMembership);
    if (verdict.action !== 'refuse') for (const key of keysOf(request)) seen.add(key);
    return { row, ...verdict };
  });
  const counts = Object.fromEntries(PREFLIGHT_CLASSES.map((name) => [name, 0])) as Record<PreflightClass, number>;
  for (const row of rows) counts[row.class] += 1;
  return { total: rows.length, counts, rows };
}

function judge(projectId: string, request: InviteRequest, known: Known, again: boolean): Verdict {
  const issues = faults(request, known);
  if (issues.length > 0) return { class: 'bad-field', action: 'refuse', issues };
  const profiles = profilesOf(request, known);
  if (profiles.length > 1) {
    const text = `Several resources of type ${request.resourceType} have this e-mail address`;
    return { class: 'several-profiles', action: 'refuse', issues: [{ text, expression: 'email' }] };
  }
  const [profile] = profiles;
  const memberships = membershipsOf(request, known);
  if (memberships.length > 0) return asMember(request, memberships[0]!, profile);
  if (again) {
    const text = 'An earlier row has the same e-mail address or externalId';
    return { class: 'duplicate-row', action: request.upsert ? 'update' : 'refuse', issues: [{ text }] };
  }
  if (request.resourceType === 'RelatedPerson' && !profile && !isKnownPatient(request, known)) {
    const text = 'A new RelatedPerson needs a patient of this project';
    return { class: 'bad-field', action: 'refuse', issues: [{ text, expression: 'patient' }] };
  }
  const scope = scopeOf(request) === 'project' ? projectId : 'server';
  const user = request.email ? known.users.get(`${scope} ${request.email}`) : undefined;
  const taken = known.standing.get(profile ?? '')?.find((member) => member.user !== `User/${user}`);
  if (taken && toTemplate(request).active !== false) {
    const expression = request.membership?.profile ? 'membership.profile' : 'email';
    return { class: 'profile-match', action: 'refuse', issues: [{ text: takenBy(taken.id), expression }] };
  }
  const given = accessOf(known.project, request);
  if (requiresPolicy(known.project) && !namesPolicy(given)) {
    const { issues } = policyRequired();
    return { class: 'bad-field', action: 'refuse', issues };
  }
  const found = { issues: [], ...(user && { user: `User/${user}` }), ...(profile && { profile }) };
  return { class: user ? 'existing-login' : profile ? 'profile-match' : 'new-person', action: 'create', ...found };
}

function faults(request: InviteRequest, known: Known): Issue[] {
  const { password, firstName, lastName, email = '' } = request;
  const problem = password === undefined ? undefined : passwordProblem(password, [firstName, lastName, email]);
  const named = request.membership?.profile?.reference;
  return [
    ...(problem ? [{ text: problem, expression: 'password' }] : []),
    ...policiesOf(toTemplate(request)).flatMap((reference) =>
      known.resources.has(reference)
        ? []
        : [{ text: `${reference} does not exist or does not belong to this project`, expression: 'accessPolicy' }],
    ),
    ...(named !== undefined && !(named.startsWith(`${request.resourceType}/`) && known.resources.has(named))
      ? [{ text: `Profile ${named} is no ${request.resourceType} of this project`, expression: 'membership.profile' }]
      : []),
  ];
}

function keysOf({ email, externalId }: InviteRequest): string[] {
  return [...(email ? [`email ${email}`] : []), ...(externalId ? [`id ${externalId}`] : [])];
}

function profilesOf(request: InviteRequest, known: Known): string[] {
  const named = request.membership?.profile?.reference;
  if (named !== undefined) return [named];
  return request.email ? (known.profiles.get(`${request.resourceType} ${request.email}`) ?? []) : [];
}

function membershipsOf(request: InviteRequest, known: Known): string[] {
  const byEmail = request.email ? (known.members.get(request.email) ?? []) : [];
  const { externalId } = toTemplate(request);
  const byId = externalId === undefined ? [] : (known.externalIds.get(externalId) ?? []);
  // A further membership is refused an externalId that is taken, too.
  return request.forceNewMembership ? byId : [...byEmail, ...byId];
}

function asMember(request: InviteRequest, membershipId: string, profile: string | undefined): Verdict {
  const membership = `ProjectMembership/${membershipId}`;
  const action = request.upsert && !request.forceNewMembership ? 'update' : 'refuse';
  const issues = action === 'update' ? [] : [{ text: 'User is already a member of this project', expression: 'email' }];
  return { class: 'already-member', action, issues, membership, ...(profile && { profile }) };
}

function isKnownPatient({ patient }: InviteRequest, known: Known): boolean {
  return patient?.reference.startsWith('Patient/') === true && known.resources.has(patient.reference);
}
