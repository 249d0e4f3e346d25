import { CODES, STRUCTURES } from './generated/r4.ts';
import { IDENTITY_CODES, IDENTITY_STRUCTURES } from './identity/structures.ts';

export type TypeSpec = {
  code: string;
  /** Resource types a Reference may point at; absent when any may be. */
  targets?: readonly string[];
};

export type ElementSpec = {
  /** Without `[x]`. */
  name: string;
  min: 0 | 1;
  array: boolean;
  choice: boolean;
  summary: boolean;
  types: readonly TypeSpec[];
  /** Path of the structure that describes a nested element (`Patient.contact`, also for content references). */
  nested?: string;
  /** Key of the closed code set (required binding). */
  codes?: string;
  /** Of a code whose required set cannot be listed: what it must look like. */
  grammar?: Grammar;
};

export type Structure = {
  path: string;
  kind: 'resource' | 'element';
  elements: ReadonlyMap<string, ElementSpec>;
};

/** The values of a required binding, and their system when they share one. */
export type CodeSet = { system?: string; codes: ReadonlySet<string> };

const ELEMENT = 'id:?string extension:*Extension';
const RESOURCE = 'id^:?id meta^:?Meta implicitRules^:?uri language:?code';
const INHERITED: Record<string, string> = {
  E: ELEMENT,
  B: `${ELEMENT} modifierExtension:*Extension`,
  R: RESOURCE,
  D: `${RESOURCE} text:?Narrative contained:*Resource extension:*Extension modifierExtension^:*Extension`,
};
const SPEC = /^([\w]+)(\[x\])?(\^)?:([?1*+])(?:@([\w.]+)|([^#]+))(?:#(\S+))?$/;

/** Sets that are too large to be listed. */
const GRAMMARS = ['mimetypes', 'currencies', 'formats'] as const;
export type Grammar = (typeof GRAMMARS)[number];

const lines = indexLines([STRUCTURES, IDENTITY_STRUCTURES]);
const codeLines = indexLines([CODES, IDENTITY_CODES]);
const structures = new Map<string, Structure>();
const codeSets = new Map<string, CodeSet>();

/**
 * The definition at a path: a resource type, a data type or a nested element (`Patient.contact`).
 * Line format: `path kind element…`, an element being `name[x]^:cardinality` + types or `@path` + `#codes`, where `^`
 * marks summary elements and cardinality is `?` 0..1, `1` 1..1, `*` 0..*, `+` 1..*.
 */
export function structure(path: string): Structure | undefined {
  let found = structures.get(path);
  if (!found) {
    const line = lines.get(path);
    if (line === undefined) return undefined;
    found = parseStructure(path, line);
    structures.set(path, found);
  }
  return found;
}

/** The closed code set of a required binding. */
export function codeSet(key: string): CodeSet | undefined {
  let found = codeSets.get(key);
  if (!found) {
    const line = codeLines.get(key);
    if (line === undefined) return undefined;
    const [system, ...codes] = line.split(' ');
    found = { system: system === '-' ? undefined : system, codes: new Set(codes) };
    codeSets.set(key, found);
  }
  return found;
}

/** JSON property of a choice element for one of its types: `value` + `Quantity` -> `valueQuantity`. */
export function choiceProperty(name: string, type: string): string {
  return name + type.charAt(0).toUpperCase() + type.slice(1);
}

/** The JSON properties of a structure's elements that are wanted: of a choice, each that it may have. */
export function propertiesOf(path: string, isWanted: (element: ElementSpec) => boolean): string[] {
  return [...(structure(path)?.elements.values() ?? [])].filter(isWanted).flatMap(({ name, choice, types }) => {
    return choice ? types.map(({ code }) => choiceProperty(name, code)) : [name];
  });
}

function indexLines(texts: string[]): Map<string, string> {
  const entries = texts.flatMap((text) => text.split('\n')).map((line): [string, string] => splitOnce(line));
  return new Map(entries);
}

function splitOnce(line: string): [string, string] {
  const space = line.indexOf(' ');
  return [line.slice(0, space), line.slice(space + 1)];
}

function parseStructure(path: string, line: string): Structure {
  const [kind = 'E', ...own] = line.split(' ');
  const specs = [...(INHERITED[kind] ?? '').split(' '), ...own].map(parseElement);
  return {
    path,
    kind: kind === 'D' || kind === 'R' ? 'resource' : 'element',
    elements: new Map(specs.map((spec) => [spec.name, spec])),
  };
}

function parseElement(text: string): ElementSpec {
  const match = SPEC.exec(text);
  if (!match) throw new Error(`Bad element in the definitions table: ${text}`);
  const [, name = '', choice, summary, cardinality, nested, types = '', codes] = match;
  return {
    name,
    min: cardinality === '1' || cardinality === '+' ? 1 : 0,
    array: cardinality === '*' || cardinality === '+',
    choice: choice !== undefined,
    summary: summary !== undefined,
    types: nested ? [] : types.split('|').map(parseType),
    nested,
    ...(isGrammar(codes) ? { grammar: codes } : { codes }),
  };
}

function isGrammar(codes: string | undefined): codes is Grammar {
  return GRAMMARS.some((grammar) => grammar === codes);
}

function parseType(text: string): TypeSpec {
  const open = text.indexOf('(');
  if (open < 0) return { code: text };
  return { code: text.slice(0, open), targets: text.slice(open + 1, -1).split(',') };
}
