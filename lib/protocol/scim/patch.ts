import { patchBodyValidation, ScimError, type ScimPatchOperation, scimPatch } from 'scim-patch';
import { parse } from 'scim2-parse-filter';
import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { findAttribute, isPassedOver, isReadOnly, keepParts } from './attributes.ts';

const MOST_OPERATIONS = 100;
const MOST_PATH = 256;

const operation = z.object({
  op: z
    .string({ error: 'op is required' })
    .toLowerCase()
    .pipe(z.enum(['add', 'replace', 'remove'], { error: 'op must be add, replace or remove' })),
  path: z
    .string({ error: 'path must be text' })
    .trim()
    .max(MOST_PATH, `path is longer than ${MOST_PATH} characters`)
    .nullish(),
  value: z.unknown().optional(),
});

const patchRequest = z.object(
  {
    schemas: z.array(z.unknown(), { error: 'schemas is required' }),
    Operations: z
      .array(operation, { error: 'Operations must be a list' })
      .min(1, 'Operations is empty')
      .max(MOST_OPERATIONS, `At most ${MOST_OPERATIONS} operations at once`),
  },
  { error: 'The body must be a PatchOp' },
);

export type Operation = z.output<typeof operation>;
/** One attribute each: with a path always, and only with names that we know. */
type Step = { op: Operation['op']; path: string; value?: unknown };

/**
 * A PATCH (RFC 7644 §3.5.2) on a User, in the forms that directories send: operations whose names are capitalised, values without a path
 * whose keys are paths themselves, one value where a list is meant. Returns what is wanted, unchecked. Throws 400 with the RFC's own
 * name of the fault.
 */
export function applyPatch(user: Record<string, unknown>, body: unknown): unknown {
  const request = readPatch(body);
  const steps = request.Operations.flatMap(toSteps);
  try {
    patchBodyValidation(request as never);
    return scimPatch(structuredClone(user) as never, steps as ScimPatchOperation[]);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof ScimError) throw fault(error.scimCode ?? 'invalidSyntax', error.message);
    // What the library trips over is a path that does not fit what is there.
    throw fault('invalidPath', 'The patch does not fit the User');
  }
}

/** The operations of a PATCH, unjudged. Throws 400 for a body that is none. */
export function readPatch(body: unknown): z.output<typeof patchRequest> {
  const checked = patchRequest.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw fault('invalidSyntax', issue?.message ?? 'Invalid PatchOp', issue?.path.join('.'));
}

function toSteps({ op, path, value }: Operation): Step[] {
  if (path) return toStep(op, path, value);
  if (op === 'remove') throw fault('noTarget', 'remove needs a path');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('invalidValue', 'Without a path, value must be an object');
  }
  return Object.entries(value).flatMap(([key, part]) => toStep(op, key, part));
}

const PATH = /^(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?([a-z]\w*)(\[[^[\]]*\])?(?:\.([a-z]\w*))?$/i;
const EXTENSION = /^urn:ietf:params:scim:schemas:extension:/i;

function toStep(op: Step['op'], path: string, value: unknown): Step[] {
  // Attributes of an extension are not kept.
  if (EXTENSION.test(path)) return [];
  const [, name = '', filter = '', part] = PATH.exec(path) ?? [];
  if (name === '') throw fault('invalidPath', `${path} is no path of an attribute`, path);
  if (isPassedOver(name)) return [];
  if (isReadOnly(name)) throw fault('mutability', `${name} is read only`, name);
  const attribute = findAttribute(name);
  const known = part === undefined ? undefined : attribute?.parts.get(part.toLowerCase());
  if (!attribute || (part !== undefined && known === undefined)) {
    throw fault('invalidPath', `There is no attribute ${part === undefined ? name : `${name}.${part}`}`, path);
  }
  if (filter !== '') requireFilter(attribute.kind, filter, path);
  const target = `${attribute.name}${filter}${known === undefined ? '' : `.${known}`}`;
  if (value === undefined) return [{ op, path: target }];
  const kept = known === undefined ? keepParts(attribute, value) : value;
  const isOneOfMany = attribute.kind === 'many' && filter === '' && known === undefined && !Array.isArray(kept);
  return [{ op, path: target, value: isOneOfMany ? [kept] : kept }];
}

function requireFilter(kind: string, filter: string, path: string): void {
  if (kind !== 'many') throw fault('invalidPath', 'Only a list has a filter', path);
  try {
    parse(filter.slice(1, -1));
  } catch (cause) {
    throw fault('invalidFilter', 'The filter of the path is not valid', path, cause);
  }
}

export function fault(scim: string, text: string, expression?: string, cause?: unknown): AppError {
  return new AppError('invalid', text, { scim, expression, cause });
}
