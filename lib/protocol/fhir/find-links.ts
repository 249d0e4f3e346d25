import { choiceProperty, structure } from './structures.ts';

export type Link = {
  holder: Record<string, unknown> | unknown[];
  key: string | number;
  /** As it came. Of a narrative, all of it. */
  text: string;
  kind: 'reference' | 'uri' | 'narrative';
  /** `Patient.managingOrganization.reference` */
  path: string;
};

type Target = { kind: Link['kind'] } | { nested: string } | 'resource';

/** A name that an entry has in its Bundle alone. */
export function isPlaceholder(text: string): boolean {
  return /^urn:(?:uuid|oid):/i.test(text);
}

const URIS = new Set(['uri', 'url', 'canonical', 'oid', 'uuid']);
const targets = new Map<string, ReadonlyMap<string, Target>>();

/**
 * Everything in a resource, not validated yet, that can name another one of its Bundle (R4 http §3.1.0.11.2): references, what is a uri, url,
 * canonical, oid or uuid, and the links of narratives; also in contained resources and extensions.
 */
export function findLinks(resource: unknown, isWanted: (text: string, kind: Link['kind']) => boolean): Link[] {
  const links: Link[] = [];
  lookAt(resource, 'resource', { links, isWanted, path: [] });
  return links;
}

type Walk = { links: Link[]; isWanted: Parameters<typeof findLinks>[1]; path: (string | number)[] };

function lookAt(value: unknown, target: Target, walk: Walk): void {
  if (!isObject(value)) return;
  if (target === 'resource') {
    const type = typeof value.resourceType === 'string' ? value.resourceType : '';
    if (walk.path.length === 0) walk.path.push(type);
    if (structure(type)?.kind === 'resource') lookBelow(value, type, walk);
  } else if ('nested' in target) lookBelow(value, target.nested, walk);
}

function lookBelow(holder: Record<string, unknown>, path: string, walk: Walk): void {
  const known = targetsOf(path);
  for (const key in holder) {
    const value = holder[key];
    if (typeof value === 'number' || typeof value === 'boolean') continue;
    const target = known.get(key) ?? (key.startsWith('_') ? { nested: 'Element' } : undefined);
    if (!target) continue;
    walk.path.push(key);
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) {
        walk.path.push(at);
        lookAtOne({ holder: value, key: at, value: item }, target, walk);
        walk.path.pop();
      }
    } else lookAtOne({ holder, key, value }, target, walk);
    walk.path.pop();
  }
}

type Place = Pick<Link, 'holder' | 'key'> & { value: unknown };

function lookAtOne({ holder, key, value }: Place, target: Target, walk: Walk): void {
  if (target === 'resource' || 'nested' in target) {
    lookAt(value, target, walk);
    return;
  }
  if (typeof value !== 'string' || !walk.isWanted(value, target.kind)) return;
  walk.links.push({ holder, key, text: value, kind: target.kind, path: toExpression(walk.path) });
}

/** By JSON property, what of a structure leads on. */
function targetsOf(path: string): ReadonlyMap<string, Target> {
  const known = targets.get(path);
  if (known) return known;
  const found = new Map<string, Target>();
  for (const { name, nested, types, choice } of structure(path)?.elements.values() ?? []) {
    if (nested) found.set(name, { nested });
    for (const { code } of types) {
      const target = targetOf(path, name, code);
      if (target) found.set(choice ? choiceProperty(name, code) : name, target);
    }
  }
  targets.set(path, found);
  return found;
}

function targetOf(path: string, name: string, code: string): Target | undefined {
  if (path === 'Reference' && name === 'reference') return { kind: 'reference' };
  if (code === 'xhtml') return { kind: 'narrative' };
  if (code === 'Resource') return 'resource';
  if (URIS.has(code)) return { kind: 'uri' };
  return /^[A-Z]/.test(code) ? { nested: code } : undefined;
}

function toExpression(path: readonly (string | number)[]): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
