import type { Patient, Practitioner } from 'fhir/r4';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import type { DomainJoins } from '#lib/protocol/answers/mail-domains.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { domainOf } from '#lib/protocol/mail-domains/domain-name.ts';
import { emailAddress } from '#lib/protocol/requests/email-address.ts';
import type { Ctx, Write } from '../access/context.ts';
import { createUser } from '../accounts/create-user.ts';
import { findUsersByEmail } from '../accounts/find-user.ts';
import { hadAccount } from '../accounts/had-account.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { write } from '../audit/write.ts';
import { projectsOf } from '../directory/projects-of.ts';
import { throttle } from '../limits/throttle.ts';
import { ofDomain } from '../mail-domains/domain-rows.ts';
import { insertMembership } from '../memberships/insert-membership.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { shareProject } from '../memberships/share-project.ts';
import type { Provider } from '../providers/provider.ts';
import type { Identity } from '../providers/verify-identity.ts';
import { createRow } from '../store/create-row.ts';

/** Of one project, in a quarter of an hour: a company on its first morning. */
const JOINS_A_PROJECT = 1000;

const ADDRESS = emailAddress();

type Known = { projects?: string[]; isAbove?: boolean };

/**
 * Somebody becomes a member whom the project's own provider names, with an address of the verified domain, where the domain says as what. Nobody who
 * is a member, or was one: whoever was suspended or removed stays so. They get an account of the project, also where the address has
 * one above projects: that one may be in other hands. True when it is worth another look: they may have joined at the same moment, too. Throws 400 when the policy is gone, and 429.
 */
export async function joinMember(
  ctx: Ctx,
  { forProject: projectId, domain, settings, saml }: Provider,
  identity: Identity,
  known: Known | undefined,
): Promise<boolean> {
  const { email } = identity;
  if (projectId === undefined || domain === undefined || !isAddressOf(domain, email)) return false;
  if (known && (!known.isAbove || known.projects?.includes(projectId))) return false;
  await throttle(`domain-join:${projectId}`, JOINS_A_PROJECT);
  await write(ctx, async (w) => {
    await lockAddresses(w.tx, [email]);
    const project = await shareProject(w.tx, projectId);
    const [row] = await w.tx.select().from(mailDomain).where(ofDomain(projectId, domain)).for('share');
    const isOpen = project.active !== false && row?.verifiedAt && row.joins;
    if (!isOpen || (await isKnown(w, projectId, email))) return w.unchanged();
    const system = saml?.entityId ?? settings.issuer ?? settings.authorizeUrl ?? domain;
    await insertMember(w, projectId, row.joins!, {
      ...toNames(identity, email),
      email,
      system,
      value: clean(identity.subject),
    });
  });
  return true;
}

/** A provider may say anything: what is no address that could be invited is nobody's here. */
function isAddressOf(domain: string, email: string | undefined): email is string {
  return email !== undefined && ADDRESS.safeParse(email).success && domainOf(email) === domain;
}

/** A member, or once one, with an account of the project or one above. */
async function isKnown(w: Write, projectId: string, email: string): Promise<boolean> {
  const found = await findUsersByEmail(w.tx, [projectId, SERVER_SCOPE], email);
  if (found.has(projectId)) return true;
  const above = found.get(SERVER_SCOPE);
  if (above && (await projectsOf(above, w.tx)).includes(projectId)) return true;
  return hadAccount(w.tx, projectId, email);
}

type Person = { firstName: string; lastName: string; email: string; system: string; value: string };

async function insertMember(w: Write, projectId: string, joins: DomainJoins, person: Person): Promise<void> {
  const { profileType, accessPolicy } = joins;
  await requirePolicies(w.tx, projectId, { accessPolicy });
  const { firstName, lastName, email, system, value } = person;
  const id = newId();
  const profile = `${profileType}/${id}`;
  const user = await createUser(w, { scope: projectId, firstName, lastName, email, author: profile });
  const record: Patient | Practitioner = {
    resourceType: profileType,
    identifier: [{ system, value }],
    name: [{ given: [firstName], family: lastName }],
    telecom: [{ system: 'email', value: email }],
  };
  await createRow(w, projectId, record as Resource, { author: profile, id });
  w.audit({ projectId, action: 'resource.create', target: profile });
  const membership = {
    user: { reference: `User/${user.id}`, display: email },
    profile: { reference: profile, display: `${firstName} ${lastName}` },
    accessPolicy,
  };
  const made = await insertMembership(w, projectId, membership, { author: profile, ownProfile: true, ownUser: true });
  const after = { domain: domainOf(email), accessPolicy: accessPolicy.reference };
  w.audit({ projectId, action: 'domain.join', target: `ProjectMembership/${made.id}`, after });
}

/** What the provider calls them; else what stands before the @. */
function toNames({ firstName, lastName }: Identity, email: string): { firstName: string; lastName: string } {
  const [first = 'Unnamed', ...rest] = (email.split('@')[0] || 'Unnamed').split('.').filter(Boolean);
  return { firstName: clean(firstName) || first, lastName: clean(lastName) || rest.join(' ') || first };
}

/** On one line, as long as a name may be. */
function clean(name = ''): string {
  const plain = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '');
  return [...plain.trim()].slice(0, 128).join('').trim();
}
