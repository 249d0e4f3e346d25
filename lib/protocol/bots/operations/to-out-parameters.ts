import type { Issue } from '#lib/base/errors.ts';
import { isResourceType } from '../../fhir/type-ids.ts';
import { validateResource } from '../../fhir/validate/validate.ts';
import type { OperationParameter } from './operation-definition.ts';

/** What a value lacks to be what an operation gives. */
export class NotGiven extends Error {}

/** Whether what the bot returns is the whole answer (R4 operations §3.2.0.4): a resource named `return`, or nothing that is defined. */
export function isWholeAnswer(out: readonly OperationParameter[]): boolean {
  const [only] = out;
  return !only || (out.length === 1 && only.name === 'return' && isResource(only.type));
}

/**
 * A bot's value as the Parameters that its definition says: an object by the names of what is given, or, where that is one thing alone, the thing itself.
 * What is not defined is left out; Parameters are what they are. Throws NotGiven for what is missing, too much, or not of its type.
 */
export function toOutParameters(value: unknown, out: readonly OperationParameter[]): object {
  if (isObject(value) && value.resourceType === 'Parameters') return sound(value);
  return sound({ resourceType: 'Parameters', parameter: toParts(value, out, { made: 0 }) });
}

/** Parameters that are made of one value, and characters of a name: a definition may have many, and values as well. */
const MOST_MADE = 10_000;
const MOST_NAME = 100;

type Count = { made: number };

function toParts(value: unknown, out: readonly OperationParameter[], count: Count): object[] {
  if (new Set(out.map(({ name }) => name)).size < out.length || out.some(({ name }) => name.length > MOST_NAME))
    throw new NotGiven(`The operation gives two things of one name, or one of more than ${MOST_NAME} characters`);
  const [only] = out;
  const given = out.length === 1 && only && isItself(value, only) ? { [only.name]: value } : value;
  if (!isObject(given))
    throw new NotGiven(`The bot must return an object with ${out.map(({ name }) => name).join(', ')}`);
  return out.flatMap((parameter) =>
    toEach(parameter, Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined, count),
  );
}

/** Whether a value is the one thing that is given, and not an object that has it by its name. */
function isItself(value: unknown, { name, type = '', part }: OperationParameter): boolean {
  if (!isObject(value)) return true;
  // Primitives begin with a small letter (R4 datatypes §2.24.0.1).
  return !Object.hasOwn(value, name) && !part && !/^[a-z]/.test(type);
}

function toEach(parameter: OperationParameter, value: unknown, count: Count): object[] {
  const { name, min, max } = parameter;
  const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== null);
  if (all.length < min) throw new NotGiven(`${name} is missing in what the bot returned`);
  if (max !== '*' && all.length > Number(max))
    throw new NotGiven(
      `${name} may stand ${max === '1' ? 'only once' : `at most ${max} times`} in what the bot returned`,
    );
  count.made += all.length;
  if (count.made > MOST_MADE) throw new NotGiven(`What the bot returned makes more than ${MOST_MADE} parameters`);
  return all.map((one) => toOne(parameter, one, count));
}

function toOne({ name, type = '', part }: OperationParameter, value: unknown, count: Count): object {
  if (part && part.length > 0) return { name, part: toParts(value, part, count) };
  if (isResource(type)) return { name, resource: value };
  return { name, [`value${type.charAt(0).toUpperCase()}${type.slice(1)}`]: value };
}

function isResource(type: string | undefined): boolean {
  return isResourceType(type) || ['Any', 'Resource', 'DomainResource'].includes(type ?? '');
}

function sound(parameters: object): object {
  const [issue] = validateResource(parameters, 'Parameters') as [Issue?];
  if (issue) throw new NotGiven(`What the bot returned is not what the operation gives: ${issue.text}`);
  return parameters;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
