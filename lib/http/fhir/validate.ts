import { AppError } from '#lib/base/errors.ts';
import { allOk, toOutcomeIssues } from '#lib/protocol/fhir/outcome.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';
import { readJson } from '../door/read-body.ts';
import { fhir } from '../door/reply.ts';
import type { Operation } from './operation.ts';

/** `$validate`: 200 with the findings, whatever they are. The body is the resource, or Parameters with one named `resource`. */
export const validateOperation: Operation = {
  definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
  methods: ['POST'],
  async run({ type, request }) {
    typeId(type);
    const body = await readJson(request);
    if (body === undefined) throw new AppError('structure', 'The body is empty: send a resource as JSON');
    const issues = validateResource(wrapped(body) ?? body, type);
    if (issues.length === 0) return fhir(allOk());
    return fhir({ resourceType: 'OperationOutcome', issue: toOutcomeIssues(issues, 'invalid') });
  },
};

type Parameters = { resourceType: 'Parameters'; parameter?: unknown };
type Parameter = { name?: string; resource?: unknown } | null;

function wrapped(body: unknown): unknown {
  if ((body as Parameters | null)?.resourceType !== 'Parameters') return undefined;
  const { parameter = [] } = body as Parameters;
  if (!Array.isArray(parameter)) {
    throw new AppError('structure', 'parameter must be a list', { expression: 'Parameters.parameter' });
  }
  return parameter.find((item: Parameter) => item?.name === 'resource')?.resource;
}
