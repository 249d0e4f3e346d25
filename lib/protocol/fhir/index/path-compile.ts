import { choiceProperty, type ElementSpec, structure } from '../structures.ts';
import { isResourceType } from '../type-ids.ts';
import { parsePath, type Step, type Term } from './path-parse.ts';

type Json = Record<string, unknown>;
type Filter = (node: unknown) => boolean;
/** The same filter, for who compiles it to something else. */
export type Condition = { equals: [field: string, value: string] } | { extension: string } | { refersTo: string };
export type Hop = { property: string } | { filter: Filter; condition: Condition } | { index: number };

/** One way through a resource to values of one known type. */
export type Branch = {
  hops: Hop[];
  type: string;
  /** Key of the code set that binds the values. */
  codes?: string;
  /** Resource types, when the values are references. */
  targets?: readonly string[];
  truth: boolean;
};

/** An element of any type has fifty, and each of these that has one again fifty more: R4's own expressions have a hundred at most. */
const MOST_BRANCHES = 2000;

/** The branches of a search expression on one resource type. Types that cannot be indexed are still listed. */
export function compilePath(base: string, expression: string): Branch[] {
  return parsePath(expression).flatMap((term) => compileTerm(base, term));
}

/** Calls `emit` for each value of the branch, in document order; null array items are skipped. */
export function walk(resource: unknown, { hops }: Branch, emit: (value: unknown) => void): void {
  step(resource, hops, 0, emit);
}

/** Whether there can be a value at all: most of what a type can be found by, a resource of it has not. */
export function mayHave(node: unknown, branches: readonly Branch[]): boolean {
  for (const { hops } of branches) {
    const hop = hops[0];
    if (!hop || !('property' in hop) || Array.isArray(node)) return true;
    if ((node as Json)[hop.property] !== undefined) return true;
  }
  return false;
}

/** Only the branch's references to this type. */
export function narrow(branch: Branch, type: string): Branch {
  return {
    ...branch,
    targets: [type],
    hops: [...branch.hops, { filter: refersTo(type), condition: { refersTo: type } }],
  };
}

/** Only the branch's resources of this type. */
export function ofType(branch: Branch, type: string): Branch {
  return { ...branch, hops: [...branch.hops, equalsHop('resourceType', type)] };
}

function step(node: unknown, hops: Hop[], at: number, emit: (value: unknown) => void): void {
  if (node === undefined || node === null) return;
  const hop = hops[at];
  if (hop && 'index' in hop) {
    step(Array.isArray(node) ? node[hop.index] : hop.index === 0 ? node : undefined, hops, at + 1, emit);
  } else if (Array.isArray(node)) {
    for (const item of node) step(item, hops, at, emit);
  } else if (!hop) emit(node);
  else if ('filter' in hop) {
    if (hop.filter(node)) step(node, hops, at + 1, emit);
  } else if (typeof node === 'object') step((node as Json)[hop.property], hops, at + 1, emit);
}

function compileTerm(base: string, { steps, truth }: Term): Branch[] {
  let branches: (Branch & { choice?: boolean })[] = [{ hops: [], type: base, truth }];
  for (const current of steps) {
    branches = branches.flatMap((branch) => advance(branch, current));
    if (branches.length > MOST_BRANCHES) throw new Error(`A search expression leads more than ${MOST_BRANCHES} ways`);
  }
  return branches.flatMap(openExtension);
}

function advance(branch: Branch, current: Step): Branch[] {
  switch (current.op) {
    case 'field':
      return fields(branch, current.name);
    case 'type':
      return sameType(branch.type, current.type) ? [branch] : [];
    case 'index':
      return [{ ...branch, hops: [...branch.hops, { index: current.index }] }];
    case 'refers-to':
      return branch.type === 'Reference' && isResourceType(current.type) ? [narrow(branch, current.type)] : [];
    case 'equals':
      return isText(branch, current.field)
        ? [{ ...branch, hops: [...branch.hops, equalsHop(current.field, current.value)] }]
        : [];
    case 'has-extension':
      return [
        {
          ...branch,
          hops: [...branch.hops, { filter: hasExtension(current.url), condition: { extension: current.url } }],
        },
      ];
    case 'extension':
      return fields(branch, 'extension').map((found) => ({
        ...found,
        hops: [...found.hops, equalsHop('url', current.url)],
      }));
  }
}

/** What is no single text is never equal to one. */
function isText({ type }: Branch, field: string): boolean {
  const element = structure(type)?.elements.get(field);
  const code = element?.types[0]?.code;
  return element !== undefined && !element.array && !element.choice && code !== undefined && !structure(code);
}

function fields(branch: Branch, name: string): Branch[] {
  const element = structure(branch.type)?.elements.get(name);
  if (!element) return [];
  if (element.nested) return [follow(branch, name, element, element.nested)];
  return element.types.map(({ code, targets }) => ({
    ...follow(branch, element.choice ? choiceProperty(name, code) : name, element, code),
    targets,
  }));
}

function follow(branch: Branch, property: string, element: ElementSpec, type: string): Branch {
  return { hops: [...branch.hops, { property }], type, codes: element.codes, truth: branch.truth };
}

/** A path that ends in an extension means its value. */
function openExtension(branch: Branch): Branch[] {
  return branch.type === 'Extension' ? fields(branch, 'value') : [branch];
}

/** Expressions write both `as(DateTime)` and `as dateTime`. */
function sameType(actual: string, wanted: string): boolean {
  return actual === wanted || actual === wanted.charAt(0).toLowerCase() + wanted.slice(1);
}

function refersTo(type: string): Filter {
  const pattern = new RegExp(`(?:^|/)${type}/[A-Za-z0-9\\-.]{1,64}(?:/_history/[A-Za-z0-9\\-.]{1,64})?$`);
  return (node) => {
    const { reference, type: stated } = node as { reference?: unknown; type?: unknown };
    return typeof reference === 'string' ? pattern.test(reference) : stated === type;
  };
}

function equals(field: string, value: string): Filter {
  return (node) => typeof node === 'object' && node !== null && (node as Json)[field] === value;
}

function equalsHop(field: string, value: string): Hop {
  return { filter: equals(field, value), condition: { equals: [field, value] } };
}

function hasExtension(url: string): Filter {
  const matches = equals('url', url);
  return (node) => {
    const { extension } = node as { extension?: unknown };
    return Array.isArray(extension) && extension.some(matches);
  };
}
