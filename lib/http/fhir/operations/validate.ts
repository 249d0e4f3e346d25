import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { noteRead } from '#lib/domain/audit/note-read.ts';
import { judge } from '#lib/domain/conformance/judge.ts';
import { createResource } from '#lib/domain/rest/create-resource.ts';
import { deleteResource } from '#lib/domain/rest/delete-resource.ts';
import { readResource } from '#lib/domain/rest/read-resource.ts';
import { rehearse } from '#lib/domain/rest/rehearse.ts';
import { requireValidator } from '#lib/domain/rest/require-validator.ts';
import { updateResource } from '#lib/domain/rest/update-resource.ts';
import { allOk, toOutcomeIssues } from '#lib/protocol/fhir/outcome.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from './operation.ts';
import { MAX_PROFILES, readValidateInput, type ValidateInput } from './validate-input.ts';

/** Of the gravest first. */
const MAX_ISSUES = 200;
const SEVERITIES = ['error', 'warning', 'information'] as const;

/**
 * `$validate` (R4 Resource-validate): 200 with the findings, whatever they are, for whoever may write such a resource at all. With a mode, also
 * whether this caller could make that change now.
 */
export const validateOperation: Operation = {
  definition: {
    code: 'validate',
    resource: 'Resource',
    at: ['type', 'instance'],
    affectsState: false,
    parameters: {
      resource: { type: 'Resource' },
      mode: { type: 'code' },
      profile: { type: 'uri', max: MAX_PROFILES },
    },
    returns: 'OperationOutcome',
    base: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
  },
  methods: ['POST'],
  async run({ ctx, type, id, request, url }) {
    typeId(type);
    const input = await readValidateInput(type, request, url);
    await requireValidator(ctx, { type, id, mode: input.mode });
    const { issues, findings } = await judge(ctx, type, input.resource, input.profiles);
    const isRight = issues.length === 0 && !findings.some(({ severity }) => severity === 'error');
    const refusals = isRight ? await changeIssues(ctx, type, id, input) : [];
    const issue = [
      ...toOutcomeIssues([...issues, ...refusals], 'invalid'),
      ...SEVERITIES.flatMap((severity) => {
        const told = findings.filter((finding) => finding.severity === severity);
        return toOutcomeIssues(told, 'invariant', severity);
      }),
    ].slice(0, MAX_ISSUES);
    // Programs look at the first: what R4 only advises takes nothing from it that all is well.
    if (issue.every(({ code, severity }) => severity !== 'error' && code === 'invariant'))
      issue.unshift(...allOk().issue);
    return fhir({ resourceType: 'OperationOutcome', issue });
  },
};

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
    // Whether it could be changed so tells of it, and of a change that is taken back nothing is kept.
    noteRead(ctx, type, target);
    return rehearse(ctx, (inner) => updateResource(inner, type, target, resource));
  }
  if (mode !== 'delete') return [];
  if (id === undefined) throw new AppError('invalid', 'mode delete needs an instance', { expression: 'mode' });
  return rehearse(ctx, async (inner) => {
    await readResource(inner, type, id);
    await deleteResource(inner, type, id);
  });
}
