import { choiceProperty, structure } from '../../fhir/structures.ts';

/** What FHIR says a member of an object is: of a primitive type, or looked into as a structure (`Resource`: as its own type). */
export type Element = { type?: string; path?: string };

const elements = new Map<string, ReadonlyMap<string, Element>>();

export function elementsOf(path: string): ReadonlyMap<string, Element> {
  let found = elements.get(path);
  if (!found) {
    const known = structure(path);
    found = new Map(
      [...(known?.elements.values() ?? [])].flatMap(({ name, choice, types, nested }): [string, Element][] => {
        if (nested) return [[name, { path: nested }]];
        return types.map(({ code }) => [
          choice ? choiceProperty(name, code) : name,
          /^[a-z]/.test(code) ? { type: code } : { path: code },
        ]);
      }),
    );
    // Of what is no structure nothing is kept: whoever calls says its name.
    if (known) elements.set(path, found);
  }
  return found;
}

/** By type: what says nothing of who somebody is. Dates do, and so does whatever is written by hand. */
const SHOWN = new Set(['code', 'id', 'instant', 'boolean', 'integer', 'decimal', 'positiveInt', 'unsignedInt']);
const ADDRESSES = new Set(['uri', 'canonical', 'oid', 'uuid']);
/** What may stand in these is anything: of it codes are shown. */
const ANYTHING = /^(?:Extension|Parameters\.parameter|Task\.(?:input|output))$/;
const REFERENCE =
  /^(?:[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9.-]{1,64}(?:\/_history\/\w{1,64})?|#[\w.-]{1,64}|urn:uuid:[0-9a-fA-F-]{36})$/;
const TOKEN = /^[\w.:/|#-]{1,64}$/;
const TOKENS = new Set(['id', 'linkId', 'version', 'country', 'state']);
/** Names in JSON that is no FHIR, in lower case, of what is one of a few. */
const OTHERS = new Set([
  ...['resourcetype', 'id', 'code', 'status', 'type', 'kind', 'event', 'action', 'method', 'system', 'version'],
  ...['currency', 'unit', 'mode', 'priority', 'contenttype', 'level', 'outcome', 'result', 'reference', 'trigger'],
]);
const LONG_NUMBER = 100_000;

export function holdsAnything(path: string | undefined, key: string): boolean {
  return path !== undefined && ANYTHING.test(path) && key.startsWith('value');
}

export type Spot = { key: string; isFhir: boolean; path?: string; type?: string; isAnything: boolean };

/** Whether this value, in a member of this name, says nothing of who somebody is. */
export function isHarmless(item: string | number, { key, isFhir, path, type, isAnything }: Spot): boolean {
  if (type === undefined) {
    if (typeof item === 'number') return !isFhir && Math.abs(item) < LONG_NUMBER;
    return OTHERS.has(key.toLowerCase()) && TOKEN.test(item);
  }
  const text = String(item);
  if (key === 'reference') return REFERENCE.test(text);
  if (ADDRESSES.has(type)) return (!isAnything || key === 'system') && isPlainAddress(text);
  if (SHOWN.has(type)) return !isAnything || type === 'code';
  if (isAnything || type !== 'string') return false;
  if (key === 'unit') return /^\S{1,20}$/.test(text);
  return (TOKENS.has(key) || (key === 'name' && path === 'Parameters.parameter')) && TOKEN.test(text);
}

/** What is searched for, and where somebody is called, is no name of a system. */
function isPlainAddress(text: string): boolean {
  return !text.includes('?') && !/^(?:mailto|tel|sms|data):/i.test(text);
}
