import { newId } from '#lib/base/ids.ts';
import type { AccessPolicy, DefaultPolicy, Project } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { createRow } from '../store/create-row.ts';
import { isTextSearched, settleTextSearch } from '../store/own-params/settle-text-search.ts';
import { requireValid } from '../store/require-valid.ts';
import type { Row } from '../store/row.ts';
import { defaultPolicies } from './default-policies.ts';

const DEFAULT_FEATURES = ['bots', 'cron'];

/** The Project under its own tenant, with its default policies, audited. Everything else that it starts with is the caller's. */
export async function insertProject(
  w: Write,
  project: Project,
  options: { author: string | undefined; id?: string },
): Promise<Row> {
  const id = options.id ?? newId();
  const { author } = options;
  const { id: _, ...given } = project;
  const defaultAccessPolicies = await insertPolicies(w, id, author);
  const resource: Project = { features: DEFAULT_FEATURES, ...given, defaultAccessPolicies };
  requireValid(resource, 'Project');
  const row = await createRow(w, id, resource, { author, id });
  if (isTextSearched(resource)) await settleTextSearch(w, id, resource);
  w.audit({ projectId: id, action: 'project.create', target: `Project/${id}`, after: { name: project.name } });
  return row;
}

async function insertPolicies(w: Write, projectId: string, author: string | undefined): Promise<DefaultPolicy[]> {
  const made: DefaultPolicy[] = [];
  for (const { profileType, rules } of defaultPolicies()) {
    const name = `Default ${profileType} Access Policy`;
    const policy: AccessPolicy = { resourceType: 'AccessPolicy', name, resource: rules };
    const row = await createRow(w, projectId, policy, { author });
    w.audit({ projectId, action: 'access-policy.create', target: `AccessPolicy/${row.id}` });
    made.push({ profileType, accessPolicy: { reference: `AccessPolicy/${row.id}`, display: name } });
  }
  return made;
}
