import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { CreateProjectRequest } from '#lib/protocol/requests/create-project.ts';
import { settingFaults } from '#lib/protocol/sign-in/setting-fault.ts';
import { type Actor, type Ctx, requireAnySuperAdmin } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { requireValid } from '../store/require-valid.ts';
import type { Row } from '../store/row.ts';
import { insertProject } from './insert-project.ts';

/** A new, empty project with its default policies (contract §2.1). For super-admins whose own policy lets them create projects. */
export async function createProject(ctx: Ctx, input: CreateProjectRequest): Promise<Row> {
  const actor = requireCreator(ctx);
  requireValid(input, 'Project');
  const project = input as Project;
  const issues = [...reservedFields(project), ...settingFaults(project)];
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
  await requireOwner(project);
  return write(ctx, (w) => insertProject(w, project, { author: actor.profile }));
}

const RESERVED = {
  defaultAccessPolicies: 'Default policies are made with the project; change them afterwards',
  defaultPatientAccessPolicy: 'Default policies are made with the project; change them afterwards',
  secret: 'Secrets are set at /admin/projects/{id}/secrets',
  systemSecret: 'Secrets are set at /admin/projects/{id}/secrets',
} as const satisfies Partial<Record<keyof Project, string>>;

/** What a new project cannot bring along. A second super-admin project would be a second root. */
function reservedFields(project: Project): Issue[] {
  const issues = Object.entries(RESERVED).flatMap(([name, text]) => {
    return Object.hasOwn(project, name) ? [{ text, expression: `Project.${name}` }] : [];
  });
  if (!project.superAdmin) return issues;
  return [...issues, { text: 'superAdmin cannot be set', expression: 'Project.superAdmin' }];
}

async function requireOwner({ owner }: Project): Promise<void> {
  if (!owner) return;
  const id = /^User\/(.+)$/.exec(owner.reference ?? '')?.[1];
  const user = id === undefined ? undefined : await findUser(id, undefined);
  if (user && !user.project) return;
  throw new AppError('invalid', 'The owner must be a User that is not scoped to a project', {
    expression: 'Project.owner',
  });
}

/** The caller as a super-admin whose policy, if there is one, lets them create projects (contract §2.1, §4.4). */
export function requireCreator(ctx: Ctx): Actor {
  const actor = requireAnySuperAdmin(ctx);
  reach(actor, 'Project', 'create');
  return actor;
}
