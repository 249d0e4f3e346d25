import { AppError } from '#lib/base/errors.ts';
import type { SearchParamType } from '../search-param-type.ts';
import { isIdentityType, isResourceType } from '../type-ids.ts';
import type { Resource } from '../types.ts';
import { type Branch, compilePath } from './path-compile.ts';
import { compileParam, isIndexed, type SearchParam, searchParam } from './search-params.ts';

/** What of a project's SearchParameter counts for one type. */
export type Definition = {
  base: string;
  code: string;
  type: SearchParamType;
  expression: string;
  targets: readonly string[];
};

type Given = Resource & {
  status?: string;
  code?: string;
  base?: string[];
  type?: string;
  expression?: string;
  target?: string[];
  component?: unknown[];
  xpathUsage?: string;
};

const TYPES = new Set<string>(['token', 'string', 'date', 'reference', 'uri', 'number', 'quantity']);
/** The log is kept elsewhere, and bytes have no elements. */
const UNSEARCHED = new Set(['AuditEvent', 'Binary']);
const CODE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MAX_EXPRESSION = 2000;
const MAX_TERMS = 20;
const MAX_STEPS = 20;
const MAX_BASES = 30;

/**
 * For each base of a SearchParameter what it says; nothing unless it is active. Throws 422 naming the element that cannot be honoured, and 409 for a code
 * that R4 has.
 */
export function readDefinitions(resource: Resource): Definition[] {
  const given = resource as Given;
  if (given.status !== 'active') return [];
  const { code = '', type = '', expression = '', base = [], target = [] } = given;
  if (!CODE.test(code)) throw refused('code', 'It begins with a letter, and has letters, digits, - and _ (64 at most)');
  if (!TYPES.has(type)) throw refused('type', `${type} is not supported`);
  if (given.component?.length) throw refused('component', 'Parameters of several parts are not supported');
  if (given.xpathUsage !== undefined && given.xpathUsage !== 'normal')
    throw refused('xpathUsage', `${given.xpathUsage} is not supported`);
  if (expression === '') throw refused('expression', 'It is missing');
  if (expression.length > MAX_EXPRESSION) throw refused('expression', `It has more than ${MAX_EXPRESSION} characters`);
  if (base.length > MAX_BASES) throw refused('base', `There may be ${MAX_BASES} at most`);
  const unknown = target.find((name) => !isResourceType(name));
  if (unknown) throw refused('target', `Unknown resource type: ${unknown}`);
  return [...new Set(base)].map((name) => {
    requireBase(name);
    if (searchParam(name, code)) {
      const text = `R4 has a search parameter ${code} of ${name}`;
      throw new AppError('duplicate', text, { expression: 'SearchParameter.code' });
    }
    const terms = termsOf(expression, name, base);
    const definition = {
      base: name,
      code,
      type: type as SearchParamType,
      expression: terms.join(' | '),
      targets: target,
    };
    pathOf(definition);
    return definition;
  });
}

/** Numbers of R4's parameters lie far below. */
const FIRST_OWN = 10_000_000;
const PER_PARAM = 1000;

/** Under which it is indexed. */
export function idOf(number: number): number {
  return FIRST_OWN + number * PER_PARAM;
}

export function numberOf({ id }: { id: number }): number {
  return (id - FIRST_OWN) / PER_PARAM;
}

/** As a parameter of the project, under a number that it gives to no other. */
export function compileOwnParam(
  definition: Definition,
  own: { projectId: string; number: number; isReady: boolean },
): SearchParam {
  const { projectId, number, isReady } = own;
  const param = compileParam({ ...definition, number: 0 }, pathOf(definition));
  const id = idOf(number);
  // What is of one project only is hashed with the project.
  const tokenClass = param.tokenClass === 'low' ? 'middle' : param.tokenClass;
  return { ...param, id, indexedAs: [id], tokenClass, supported: true, own: { projectId, isReady } };
}

function requireBase(name: string): void {
  if (!isResourceType(name)) throw refused('base', `${name} is no type of resource: each is named by itself`);
  if (isUnsearched(name)) throw refused('base', `${name} takes no search parameters of yours`);
}

/** Of a type of which a project does not say how it is found. */
export function isUnsearched(type: string): boolean {
  return isIdentityType(type) || UNSEARCHED.has(type);
}

/** The terms of a union that begin with this type. */
function termsOf(expression: string, base: string, bases: readonly string[]): string[] {
  const terms = expression.split('|').map((term) => term.trim());
  if (terms.length > MAX_TERMS) throw refused('expression', `It has more than ${MAX_TERMS} parts`);
  const own = terms.filter((term) => {
    const [, first = ''] = /^\(?(\w+)/.exec(term) ?? [];
    if (!bases.includes(first)) throw refused('expression', `${term} begins with none of the types in base`);
    return first === base;
  });
  if (own.length === 0) throw refused('expression', `It says nothing of ${base}`);
  return own;
}

function pathOf({ base, type, expression }: Definition): Branch[] {
  return expression.split('|').flatMap((part) => {
    const term = part.trim();
    const branches = compiled(base, term);
    if (branches.length === 0) throw refused('expression', `${term} leads to nothing`);
    if (branches.some(({ hops }) => hops.length > MAX_STEPS)) throw refused('expression', `${term} has too many steps`);
    const found = branches.filter((branch) => (branch.truth ? type === 'token' : isIndexed(type, branch)));
    const types = [...new Set(branches.map((branch) => branch.type))];
    if (found.length === 0) throw refused('expression', `${term} is ${types.slice(0, 5).join(', ')}, and no ${type}`);
    return found;
  });
}

function compiled(base: string, term: string): Branch[] {
  try {
    return compilePath(base, term);
  } catch {
    throw refused('expression', `${term} is not supported: paths, extension(), where(), as and ofType() are`);
  }
}

function refused(element: string, text: string): AppError {
  return new AppError('business-rule', text, { expression: `SearchParameter.${element}` });
}
