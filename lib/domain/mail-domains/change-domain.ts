import { AppError } from '#lib/base/errors.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import { readCertificate } from '#lib/infra/saml/read-certificate.ts';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import type { MailDomainEdit } from '#lib/protocol/mail-domains/requests.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { isUnlimited } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findDomainProvider } from '../providers/find-provider.ts';
import { requireProvider } from '../providers/require-provider.ts';
import { toSamlProvider } from '../providers/to-saml-provider.ts';
import { requireWayIn } from '../ways/require-way-in.ts';
import { endConfiguration, type ProviderEdit, saveProvider } from './configuration.ts';
import { lockDomain, ofDomain } from './domain-rows.ts';
import { readDomain } from './list-domains.ts';

/**
 * The provider of a verified domain, whether its people enter by it alone, and as what they become members. Whoever names a provider could be anybody
 * of that domain: so it needs a fresh proof, and an administrator whom no policy limits. Throws 403, 404, 400 for what no provider or policy is,
 * 409 for a domain that is not verified, and where no administrator could come in any more.
 */
export async function changeDomain(
  ctx: Ctx,
  projectId: string,
  domain: string,
  edit: MailDomainEdit,
): Promise<MailDomainRow> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUnlimited(callerOf(actor).policy))
    throw new AppError('forbidden', 'Your access is limited; ask another administrator');
  await write(ctx, async (w) => {
    if (Object.keys(edit).length === 0) return w.unchanged();
    await requireProof(actor, w.tx);
    const project = await shareProject(w.tx, projectId);
    const row = await lockDomain(w.tx, projectId, domain);
    if (!row.verifiedAt) throw notVerified();
    const { enforced = row.enforced, joins = row.joins } = edit;
    if (joins) await requirePolicies(w.tx, projectId, { accessPolicy: joins.accessPolicy });
    const providers = toProviderEdit(edit);
    if (providers && !(await saveProvider(w, projectId, row.domain, providers, actor.profile))) throw notVerified();
    const isAsked = edit.identityProvider === null || edit.samlProvider === null || edit.enforced === true;
    if (isAsked && enforced && !(await findDomainProvider(row.domain, w.tx)))
      throw new AppError('conflict', 'Its people enter by its identity provider alone: there must be one', {
        expression: 'enforced',
      });
    await w.tx.update(mailDomain).set({ enforced, joins }).where(ofDomain(projectId, domain));
    if (enforced && !row.enforced) await requireWayIn(w.tx, actor, { projectId, setting: project.setting ?? [] });
    const after = { domain: row.domain, enforced, joins, ...toFact(providers) };
    w.audit({ projectId, action: 'domain.update', target: `Project/${projectId}`, after });
  });
  return readDomain(ctx, projectId, domain);
}

/** As it is kept; undefined when nothing is said of a provider. Throws 400. */
function toProviderEdit({ identityProvider, samlProvider }: MailDomainEdit): ProviderEdit | undefined {
  if (identityProvider === undefined && samlProvider === undefined) return undefined;
  if (identityProvider && samlProvider)
    throw new AppError('invalid', 'A domain has one provider: OpenID Connect or SAML', { expression: 'samlProvider' });
  requireProvider(identityProvider ?? undefined, 'identityProvider');
  return { identityProvider, samlProvider: samlProvider && toSamlProvider(samlProvider, 'samlProvider') };
}

function toFact(providers: ProviderEdit | undefined) {
  if (!providers) return {};
  const { identityProvider: openId, samlProvider: saml } = providers;
  const certificates = saml?.certificates.map((value) => readCertificate(value).fingerprint);
  const provider = saml?.entityId ?? openId?.issuer ?? openId?.authorizeUrl ?? null;
  return { provider, ...(certificates && { certificates }) };
}

/** The project speaks for it no longer; its provider is gone. The members of that domain stay. It needs a fresh proof. Throws 403 and 404. */
export async function dropDomain(ctx: Ctx, projectId: string, domain: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const row = await lockDomain(w.tx, projectId, domain);
    await endConfiguration(w, projectId, row.domain, actor.profile);
    await w.tx.delete(mailDomain).where(ofDomain(projectId, domain));
    w.audit({ projectId, action: 'domain.delete', target: `Project/${projectId}`, before: { domain: row.domain } });
  });
}

function notVerified(): AppError {
  return new AppError('conflict', 'Verify the domain first: it is not the project’s own', { expression: 'domain' });
}
