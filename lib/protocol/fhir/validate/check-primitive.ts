import { numberOf } from '#lib/protocol/json/json.ts';
import { codeSet, type ElementSpec } from '../structures.ts';
import { isResourceType } from '../type-ids.ts';
import { type Check, type CheckContext, fail } from './check-context.ts';
import { checkContained } from './check-reference.ts';
import { grammarFault } from './grammars.ts';
import { PRIMITIVES } from './primitives.ts';

const NUMBERS = new Set(['integer', 'unsignedInt', 'positiveInt', 'decimal']);
/** Code sets that list resource types: the platform's own types belong to them as well. */
const TYPE_SETS = new Set(['resource-types', 'all-types', 'defined-types']);

/** The check of a primitive type, with its required binding; undefined when the type is no primitive. */
export function primitiveCheck(
  type: string,
  { codes, grammar }: Pick<ElementSpec, 'codes' | 'grammar'>,
): Check | undefined {
  const rule = PRIMITIVES[type];
  if (!rule) return undefined;
  const allowed = type === 'code' && codes !== undefined ? codeSet(codes)?.codes : undefined;
  return (value, context, parent) => {
    if (value === null && hasExtension(context, parent)) return;
    const wrong = rule(value);
    if (wrong !== undefined) fail(context, isJsonType(value, type) ? 'value' : 'structure', wrong);
    else if (allowed && !allowed.has(String(value)) && !(TYPE_SETS.has(codes ?? '') && isResourceType(value))) {
      fail(context, 'code-invalid', `${String(value).slice(0, 80)} is not one of the allowed codes`);
    } else if (grammar) {
      const fault = grammarFault(grammar, String(value));
      if (fault) fail(context, 'code-invalid', fault);
    } else if (type === 'canonical' && String(value).startsWith('#')) checkContained(String(value).slice(1), context);
  };
}

/** Given by who compiles structures: an Element is one. */
type ElementCheck = (value: object, context: CheckContext) => void;

/** `_name` beside a primitive: an Element, or an array of them with null in the places that have none. */
export function checkExtensions(
  value: unknown,
  context: CheckContext,
  parent: Readonly<Record<string, unknown>>,
  checkElement: ElementCheck,
): void {
  const name = String(context.path.at(-1)).slice(1);
  const sibling = parent[name];
  if (sibling !== undefined && Array.isArray(sibling) !== Array.isArray(value)) {
    fail(context, 'structure', `Must be an array exactly if ${name} is one`);
  } else if (!Array.isArray(value)) checkOne(value, context, checkElement);
  else if (value.length === 0) fail(context, 'structure', 'An array must not be empty');
  else checkItems(value, Array.isArray(sibling) ? sibling : [], context, checkElement);
}

function checkItems(items: unknown[], siblings: unknown[], context: CheckContext, checkElement: ElementCheck): void {
  for (const [index, item] of items.entries()) {
    context.path.push(index);
    if (item !== null) checkOne(item, context, checkElement);
    else if ((siblings[index] ?? null) === null) fail(context, 'structure', 'Must not be null');
    context.path.pop();
  }
}

function checkOne(value: unknown, context: CheckContext, checkElement: ElementCheck): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) checkElement(value, context);
  else fail(context, 'structure', 'Must be an object');
}

/** In an array of primitives, null stands where `_name` has an extension at the same place. */
function hasExtension({ path }: CheckContext, parent: Readonly<Record<string, unknown>>): boolean {
  const [name, index] = [path.at(-2), path.at(-1)];
  if (typeof index !== 'number') return false;
  const extensions = parent[`_${String(name)}`];
  return Array.isArray(extensions) && typeof extensions[index] === 'object' && extensions[index] !== null;
}

/** A wrong JSON type is a fault of structure, a wrong text or number one of value. */
function isJsonType(value: unknown, type: string): boolean {
  const actual = numberOf(value) === undefined ? typeof value : 'number';
  return actual === (type === 'boolean' ? 'boolean' : NUMBERS.has(type) ? 'number' : 'string');
}
