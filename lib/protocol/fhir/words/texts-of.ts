import { choiceProperty, type ElementSpec, structure } from '../structures.ts';
import type { Resource } from '../types.ts';
import { narrativeText } from './narrative-text.ts';

type Json = Record<string, unknown>;
/** What stands at a property: a text, XHTML, a resource, or an element of this structure. */
type Field = 'text' | 'xhtml' | 'resource' | { path: string };

const TEXTS = new Set(['string', 'markdown', 'code']);
/** They name something, and say nothing. */
const NAMES = new Set(['id', 'Reference.reference', 'Extension.url', 'Narrative.status']);

/**
 * What people read of a resource: strings, markdown, codes and the narrative, of what it contains and of extensions, too; no ids, addresses,
 * dates, numbers and bytes, and nothing of `meta`. An element that its definition does not know says nothing.
 */
export function textsOf(resource: Resource): string[] {
  const texts: string[] = [];
  readResource(resource, texts);
  return texts;
}

/** What people read of its own narrative. */
export function narrativeOf(resource: Resource): string | undefined {
  const { text } = resource as { text?: { div?: unknown } };
  return typeof text?.div === 'string' ? narrativeText(text.div) : undefined;
}

function readResource(node: unknown, texts: string[]): void {
  if (!isObject(node) || typeof node.resourceType !== 'string') return;
  readElement(node, node.resourceType, texts);
}

function readElement(node: Json, path: string, texts: string[]): void {
  const known = fieldsOf(path);
  for (const [key, value] of Object.entries(node)) {
    const field = key.startsWith('_') ? EXTENDED : known.get(key);
    if (field === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) readValue(item, field, texts);
  }
}

function readValue(value: unknown, field: Field, texts: string[]): void {
  if (typeof value === 'string') {
    if (field === 'text') texts.push(value);
    if (field === 'xhtml') texts.push(narrativeText(value));
  } else if (field === 'resource') readResource(value, texts);
  else if (typeof field === 'object' && isObject(value)) readElement(value, field.path, texts);
}

/** Beside a primitive value. */
const EXTENDED: Field = { path: 'Element' };
const fields = new Map<string, ReadonlyMap<string, Field>>();
fields.set('Element', new Map([['extension', { path: 'Extension' }]]));

function fieldsOf(path: string): ReadonlyMap<string, Field> {
  let found = fields.get(path);
  if (!found) {
    const elements = structure(path)?.elements.values() ?? [];
    found = new Map([...elements].flatMap((element) => fieldsAt(path, element)));
    fields.set(path, found);
  }
  return found;
}

function fieldsAt(path: string, { name, nested, choice, types }: ElementSpec): [string, Field][] {
  if (NAMES.has(name) || NAMES.has(`${path}.${name}`)) return [];
  if (nested) return [[name, { path: nested }]];
  return types.flatMap(({ code }): [string, Field][] => {
    const field = fieldOf(code);
    return field ? [[choice ? choiceProperty(name, code) : name, field]] : [];
  });
}

function fieldOf(type: string): Field | undefined {
  if (TEXTS.has(type)) return 'text';
  if (type === 'xhtml') return 'xhtml';
  if (type === 'Resource') return 'resource';
  return type !== 'Meta' && structure(type) ? { path: type } : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
