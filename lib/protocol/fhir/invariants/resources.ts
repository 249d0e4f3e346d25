import { child, has, items, type Node, type Rules } from './node.ts';

const metas = (node: Node) => items(node, 'contained').map((resource) => child(resource, 'meta') ?? {});

/** Invariants of every resource that may contain others: R4 DomainResource. */
export const RESOURCES: Rules = {
  DomainResource: {
    'dom-2': (node) =>
      !has(node, 'contained') || items(node, 'contained').every((resource) => !has(resource, 'contained')),
    'dom-3': (node) => !has(node, 'contained') || isReferredTo(node),
    'dom-4': (node) =>
      !has(node, 'contained') || metas(node).every((meta) => !has(meta, 'versionId') && !has(meta, 'lastUpdated')),
    'dom-5': (node) => !has(node, 'contained') || metas(node).every((meta) => !has(meta, 'security')),
    'dom-6': (node) => child(node, 'text')?.div !== undefined,
  },
};

/**
 * Each contained resource is named somewhere in the resource, or names what contains it. Any text that is `#id` counts: what of them is a
 * reference, a canonical or a uri was judged with the structure.
 */
function isReferredTo(node: Node): boolean {
  const named = new Set<string>();
  collect(node, named);
  return items(node, 'contained').every((resource) => {
    if (named.has(`#${resource.id}`)) return true;
    const own = new Set<string>();
    collect(resource, own);
    return own.has('#');
  });
}

function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    if (value.startsWith('#')) into.add(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (typeof value === 'object' && value !== null) for (const key in value) collect((value as Node)[key], into);
}
