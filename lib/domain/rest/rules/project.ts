import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Project, Resource } from '#lib/protocol/fhir/types.ts';
import { createProjectRequest } from '#lib/protocol/requests/create-project.ts';
import { settingFaults } from '#lib/protocol/sign-in/setting-fault.ts';
import { projectTag } from '../../access/cache-tags.ts';
import type { Actor, Ctx, Write } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import type { Interaction } from '../../access/rule.ts';
import { createProject } from '../../projects/create-project.ts';
import { settleClosing } from '../../projects/settle-closing.ts';
import { isTextSearched, settleTextSearch } from '../../store/own-params/settle-text-search.ts';
import { type Row, toResource } from '../../store/row.ts';
import { requireSettingsKept } from '../../ways/require-settings-kept.ts';
import type { Located, Made, ResourceChange, TypeRule } from '../type-rule.ts';
import { keepStored } from './keep-stored.ts';
import { requirePlainName } from './require-plain-name.ts';
import { requireReferences } from './require-references.ts';

const HIDDEN = ['superAdmin', 'strictMode', 'systemSecret'];
/** What only a super-admin decides. */
const READ_ONLY = [...HIDDEN, 'active', 'features', 'link', 'systemSetting'];
/** Their values live sealed in a table of their own, which nothing over FHIR reads. */
const SECRET = ['secret', 'systemSecret'] as const;

/** A project is its own tenant: its id is its project id. */
export const projectRule: TypeRule = {
  closed: { delete: 'Projects are not deleted: a super-admin sets active to false' },
  locate: locateProject,
  hidden: (actor) => (actor.superAdmin ? [] : HIDDEN),
  create,
  prepare,
  changed: (w, row) => w.invalidate(projectTag(row.id)),
  updated: settleWords,
};

function locateProject(actor: Actor, id: string, interaction: Interaction): Located {
  const projectId = actor.superAdmin && isUuid(id) ? id.toLowerCase() : actor.projectId;
  return { projectId, reach: reach(actor, 'Project', interaction) };
}

/** As POST /admin/Project. */
async function create(ctx: Ctx, _projectId: string, resource: Resource): Promise<Made> {
  const parsed = createProjectRequest.safeParse(resource);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      text: message,
      expression: `Project.${path.join('.')}`,
    }));
    throw new AppError('invalid', 'Invalid project', { issues });
  }
  return { row: await createProject(ctx, parsed.data) };
}

async function prepare({ ctx, actor, projectId, before, after }: ResourceChange): Promise<Resource> {
  for (const name of SECRET) {
    if (after[name] === undefined) continue;
    const text = 'Secrets are set by POST /admin/projects/{id}/secrets';
    throw new AppError('invalid', text, { expression: `Project.${name}` });
  }
  if (before && !actor.superAdmin) requireSameOwner(before as Project, after as Project);
  if (before && actor.superAdmin) await settleClosing(ctx.write, projectId, before as Project, after as Project);
  if (after.name !== before?.name) requirePlainName('Project.name', after.name);
  if (!isDeepStrictEqual(after.setting, before?.setting)) {
    const { setting = [] } = after as Project;
    const issues = settingFaults({ setting });
    if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
    await requireSettingsKept(ctx.write, ctx, {
      actor,
      projectId,
      before: (before as Project | undefined)?.setting,
      after: setting,
    });
  }
  // A second super-admin project would be a second root: nobody sets that.
  const kept = before ? keepStored(before, after, actor.superAdmin ? ['superAdmin'] : READ_ONLY) : after;
  const { defaultPatientAccessPolicy, defaultAccessPolicies = [] } = kept as Project;
  await requireReferences(ctx.write, projectId, 'AccessPolicy', [
    ['Project.defaultPatientAccessPolicy', defaultPatientAccessPolicy],
    ...defaultAccessPolicies.map(
      (item, index) => [`Project.defaultAccessPolicies[${index}].accessPolicy`, item.accessPolicy] as const,
    ),
  ]);
  return kept;
}

async function settleWords(w: Write, row: Row, before: Row): Promise<void> {
  const project = toResource<Project>(row);
  const isChanged = before.deleted || isTextSearched(toResource<Project>(before)) !== isTextSearched(project);
  if (isChanged) await settleTextSearch(w, row.projectId, project);
}

/** Refused and not ignored: who asks for it means it. */
function requireSameOwner(before: Project, after: Project): void {
  if (after.owner?.reference === before.owner?.reference) return;
  const text =
    'The owner hands a project over by POST /admin/projects/{id}/owner, or a super-admin of this server does';
  throw new AppError('forbidden', text, { expression: 'Project.owner' });
}
