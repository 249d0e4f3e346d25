import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { judge } from '#lib/domain/conformance/judge.ts';
import { createResource } from '#lib/domain/rest/create-resource.ts';
import { deleteResource } from '#lib/domain/rest/delete-resource.ts';
import { readResource } from '#lib/domain/rest/read-resource.ts';
import { rehearse } from '#lib/domain/rest/rehearse.ts';
import { requireValidator } from '#lib/domain/rest/require-validator.ts';
import { updateResource } from '#lib/domain/rest/update-resource.ts';
import { allOk, toOutcomeIssues } from '#lib/protocol/fhir/outcome.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { profileIssue } from '#lib/protocol/fhir/validate/profile-issue.ts';
import { fhir } from '../door/reply.ts';
import type { Operation } from './operation.ts';
import { readValidateInput, type ValidateInput } from './validate-input.ts';

const SEVERITIES = ['error', 'warning', 'information'] as const;

/**
 * `$validate` (R4 Resource-validate): 200 with the findings, whatever they are, for whoever may write such a resource at all. With a mode, also
 * whether this caller could make that change now.
 */
export const validateOperation: Operation = {
  definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
  methods: ['POST'],
  async run({ ctx, type, id, request, url }) {
    typeId(type);
    const input = await readValidateInput(type, request, url);
    await requireValidator(ctx, { type, id, mode: input.mode });
    const { issues: errors, findings } = await judge(ctx, type, input.resource);
    for (const profile of input.profiles) {
      const issue = profileIssue(type, profile, 'profile');
      if (issue) errors.push(issue);
    }
    const refusals = errors.length === 0 ? await changeIssues(ctx, type, id, input) : [];
    errors.push(...refusals.filter((refusal) => !findings.some((finding) => isSame(finding, refusal))));
    const warnings = claimedProfiles(input.resource).flatMap((profile, index) => {
      return profileIssue(type, profile, `${type}.meta.profile[${index}]`) ?? [];
    });
    const issue = [
      ...toOutcomeIssues(errors, 'invalid'),
      ...SEVERITIES.flatMap((severity) => {
        const told = findings.filter((finding) => finding.severity === severity);
        return toOutcomeIssues(told, 'invariant', severity);
      }),
      ...toOutcomeIssues(warnings, 'not-supported', 'warning'),
    ];
    // Programs look at the first: what R4 only advises takes nothing from it that all is well.
    if (warnings.length === 0 && !issue.some(({ severity }) => severity === 'error')) issue.unshift(...allOk().issue);
    return fhir({ resourceType: 'OperationOutcome', issue });
  },
};

/** What a change was refused for is told once, as what was found. */
function isSame(one: Issue, other: Issue): boolean {
  return one.text === other.text && one.expression === other.expression;
}

async function changeIssues(
  ctx: Ctx,
  type: string,
  id: string | undefined,
  { mode, resource }: ValidateInput,
): Promise<Issue[]> {
  if (mode === 'create') return rehearse(ctx, (inner) => createResource(inner, type, resource));
  if (mode === 'update') {
    const target = id ?? (resource as { id?: string }).id;
    if (target === undefined) return [{ text: 'An update needs an id', expression: `${type}.id`, code: 'required' }];
    return rehearse(ctx, (inner) => updateResource(inner, type, target, resource));
  }
  if (mode !== 'delete') return [];
  if (id === undefined) throw new AppError('invalid', 'mode delete needs an instance', { expression: 'mode' });
  return rehearse(ctx, async (inner) => {
    await readResource(inner, type, id);
    await deleteResource(inner, type, id);
  });
}

function claimedProfiles(resource: unknown): string[] {
  const { meta } = (resource ?? {}) as { meta?: { profile?: unknown } };
  return Array.isArray(meta?.profile) ? meta.profile.filter((profile) => typeof profile === 'string') : [];
}
