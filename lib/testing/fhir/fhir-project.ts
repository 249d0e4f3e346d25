import type { Ctx, Write } from '#lib/domain/access/context.ts';
import { write } from '#lib/domain/audit/write.ts';
import { provisionClient } from '#lib/domain/memberships/provision-client.ts';
import { insertProject } from '#lib/domain/projects/insert-project.ts';
import { createRow } from '#lib/domain/store/create-row.ts';
import type { AccessPolicy, AccessPolicyRule, Project } from '#lib/protocol/fhir/types.ts';

/** Somebody who calls with Basic credentials. `profile` is `ClientApplication/…`. */
export type Caller = { authorization: string; profile: string; membershipId: string };

export type FhirProject = {
  projectId: string;
  admin: Caller;
  /** A caller without admin rights unless `role` gives them; with rules, limited by a policy of exactly these, and what else `policy` says. */
  member(rules?: AccessPolicyRule[], role?: { admin?: boolean }, policy?: Partial<AccessPolicy>): Promise<Caller>;
};

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };

/** A project of one's own, whose callers are programs: the quickest way through the real door. */
export async function makeFhirProject(
  superAdmin = false,
  settings: Pick<Project, 'strictMode' | 'checkReferencesOnWrite' | 'setting'> = {},
): Promise<FhirProject> {
  const { projectId, admin } = await write(ctx, async (w) => {
    const project = {
      resourceType: 'Project',
      name: 'Test',
      ...settings,
      ...(superAdmin ? { superAdmin } : {}),
    } as const;
    const row = await insertProject(w, project, { author: undefined });
    return { projectId: row.id, admin: await makeCaller(w, row.id, { admin: true }) };
  });
  return { projectId, admin, member: (...given) => write(ctx, (w) => makeMember(w, projectId, ...given)) };
}

async function makeMember(
  w: Write,
  projectId: string,
  rules?: AccessPolicyRule[],
  role: { admin?: boolean } = {},
  more: Partial<AccessPolicy> = {},
): Promise<Caller> {
  if (!rules) return makeCaller(w, projectId, role);
  const policy: AccessPolicy = { resourceType: 'AccessPolicy', name: 'Test', resource: rules, ...more };
  const row = await createRow(w, projectId, policy, { author: undefined });
  return makeCaller(w, projectId, { ...role, access: { accessPolicy: { reference: `AccessPolicy/${row.id}` } } });
}

type CallerOptions = Pick<Parameters<typeof provisionClient>[3], 'admin' | 'access'>;

async function makeCaller(w: Write, projectId: string, options: CallerOptions): Promise<Caller> {
  const client = { resourceType: 'ClientApplication', name: 'Caller' } as const;
  const { row, membership, secret } = await provisionClient(w, projectId, client, { author: undefined, ...options });
  return {
    authorization: `Basic ${Buffer.from(`${row.id}:${secret}`).toString('base64')}`,
    profile: `ClientApplication/${row.id}`,
    membershipId: membership.id,
  };
}
