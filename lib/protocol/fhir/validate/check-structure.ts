import { invariantsOf } from '../invariants/invariants-of.ts';
import { choiceProperty, type ElementSpec, structure, type TypeSpec } from '../structures.ts';
import { isResourceType } from '../type-ids.ts';
import { type Check, type CheckContext, fail, find, postpone } from './check-context.ts';
import { checkExtensions, primitiveCheck } from './check-primitive.ts';
import { checkReference } from './check-reference.ts';
import { codedCheck } from './coded.ts';

type Json = Readonly<Record<string, unknown>>;
type Property = { check: Check; primitive: boolean; choice?: string };
type Compiled = { properties: ReadonlyMap<string, Property>; required: string[][] };

type Checker = (value: object, context: CheckContext) => void;

const checkers = new Map<string, Checker>();

/** The check of one structure (a resource type, data type or nested element), compiled when it is first needed. */
export function checkerOf(path: string): Checker {
  let checker = checkers.get(path);
  if (!checker) {
    const compiled = compile(path);
    const isResource = structure(path)?.kind === 'resource';
    checker = (value, context) => checkObject(value as Json, compiled, isResource, context);
    if (isResource) checker = withContained(checker);
    if (path === 'Extension') checker = withExtensionRule(checker);
    checker = withInvariants(path, checker);
    checkers.set(path, checker);
  }
  return checker;
}

/** Which ids `#id` may name in a resource, and in those that it contains. */
function withContained(check: Checker): Checker {
  return (value, context) => {
    const outer = context.contained;
    if (context.path.at(-2) !== 'contained') {
      const { contained } = value as { contained?: unknown };
      const ids = Array.isArray(contained) ? contained.map((item) => (item as { id?: unknown } | null)?.id) : [];
      context.contained = new Set(ids);
    }
    check(value, context);
    context.contained = outer;
  };
}

/** Asked of what is sound: they may then read it as what the definitions say it is. */
function withInvariants(path: string, check: Checker): Checker {
  const { own, expressions } = invariantsOf(path);
  if (own.length + expressions.length === 0) return check;
  return (value, context) => {
    check(value, context);
    if (context.issues.length > 0) return;
    for (const { key, severity, text, holds } of own) {
      if (!holds(value as Json)) find(context, { severity, code: 'invariant', text: `${text} (${key})` });
    }
    if (expressions.length > 0) postpone(context, path);
  };
}

/** ext-1 */
function withExtensionRule(check: Checker): Checker {
  return (value, context) => {
    check(value, context);
    const names = Object.keys(value).filter((name) => (value as Json)[name] !== undefined);
    const hasValue = names.some((name) => /^_?value[A-Z]/.test(name));
    if (hasValue === names.includes('extension')) {
      fail(context, 'invariant', 'An extension has either a value or extensions, not both (ext-1)');
    }
  };
}

function checkObject(
  value: Json,
  { properties, required }: Compiled,
  isResource: boolean,
  context: CheckContext,
): void {
  const { path } = context;
  const depth = path.length;
  let count = 0;
  let choices: Map<string, string> | undefined;
  for (const key in value) {
    if (isResource && key === 'resourceType') continue;
    // JSON has no undefined: what a resource made in code leaves empty is not stored either.
    if (value[key] === undefined) continue;
    count += 1;
    const extended = key.startsWith('_');
    const name = extended ? key.slice(1) : key;
    const property = properties.get(name);
    path[depth] = key;
    if (!property || (extended && !property.primitive))
      fail(context, 'structure', `Unknown element: ${key.slice(0, 80)}`);
    else {
      if (property.choice !== undefined) {
        choices ??= new Map();
        const before = choices.get(property.choice) ?? name;
        if (before !== name) fail(context, 'structure', `Only one of ${before} and ${name} may be present`);
        choices.set(property.choice, name);
      }
      if (extended) checkExtensions(value[key], context, value, checkerOf('Element'));
      else property.check(value[key], context, value);
    }
    path.length = depth;
  }
  if (count === 0 && !isResource) fail(context, 'structure', 'An element must not be empty');
  for (const names of required) requireOne(names, value, properties, context);
}

function requireOne(names: string[], value: Json, properties: Compiled['properties'], context: CheckContext): void {
  if (names.some((name) => value[name] !== undefined || value[`_${name}`] !== undefined)) return;
  const [first = ''] = names;
  const label = properties.get(first)?.choice ?? first;
  context.path.push(label);
  fail(context, 'required', `${label} is required`);
  context.path.pop();
}

function compile(path: string): Compiled {
  const properties = new Map<string, Property>();
  const required: string[][] = [];
  for (const element of structure(path)?.elements.values() ?? []) {
    const names = propertiesOf(element);
    for (const [name, property] of names) properties.set(name, property);
    if (element.min === 1) required.push(names.map(([name]) => name));
  }
  return { properties, required };
}

function propertiesOf(element: ElementSpec): [string, Property][] {
  const { name, nested, choice, types, codes, array } = element;
  const wrap = (check: Check) => (array ? eachItem(check) : single(check));
  if (nested) return [[name, { check: wrap(objectCheck(nested)), primitive: false }]];
  return types.map((type) => {
    const primitive = primitiveCheck(type.code, element);
    const property = { check: wrap(primitive ?? typeCheck(type, codes)), primitive: primitive !== undefined };
    return choice ? [choiceProperty(name, type.code), { ...property, choice: `${name}[x]` }] : [name, property];
  });
}

function single(check: Check): Check {
  return (value, context, parent) => {
    if (Array.isArray(value)) fail(context, 'structure', 'Must be a single value, not an array');
    else check(value, context, parent);
  };
}

function eachItem(check: Check): Check {
  return (value, context, parent) => {
    if (!Array.isArray(value)) return fail(context, 'structure', 'Must be an array');
    if (value.length === 0) return fail(context, 'structure', 'An array must not be empty');
    for (const [index, item] of value.entries()) {
      context.path.push(index);
      check(item, context, parent);
      context.path.pop();
    }
  };
}

function typeCheck(type: TypeSpec, codes: string | undefined): Check {
  if (type.code === 'Resource' || isResourceType(type.code)) return resourceCheck(type.code);
  const check = objectCheck(type.code);
  const coded = codedCheck(type.code, codes);
  if (type.code !== 'Reference' && !coded) return check;
  return (value, context, parent) => {
    check(value, context, parent);
    if (coded) coded(value, context, parent);
    else checkReference(value, type.targets, context);
  };
}

function objectCheck(path: string): Check {
  return (value, context) => {
    if (isPlainObject(value)) checkerOf(path)(value, context);
    else fail(context, 'structure', 'Must be an object');
  };
}

/** A resource inside a resource (contained, Bundle entry, Parameters). */
function resourceCheck(type: string): Check {
  return (value, context) => {
    if (!isPlainObject(value)) return fail(context, 'structure', 'Must be a resource');
    const { resourceType } = value as { resourceType?: unknown };
    const fits = isResourceType(resourceType) && (type === 'Resource' || type === resourceType);
    if (fits) checkerOf(resourceType)(value, context);
    else fail(context, 'structure', `Must be a resource with resourceType${type === 'Resource' ? '' : ` ${type}`}`);
  };
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) !== null;
}
