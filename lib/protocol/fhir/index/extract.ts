import { AppError } from '#lib/base/errors.ts';
import { parseReference } from '../references.ts';
import type { Reference, Resource } from '../types.ts';
import { extractWords, type WordEntry } from '../words/extract-words.ts';
import { soundsOf } from '../words/sounds.ts';
import { isCompartment } from './compartments.ts';
import { extractComposite } from './composites.ts';
import { extractDates } from './extract-dates.ts';
import { extractMeasures, extractPlaces, type QuantityEntry } from './extract-quantities.ts';
import { extractStrings } from './extract-strings.ts';
import { absentTokens, extractTokens, type Place } from './extract-tokens.ts';
import { windowsOf } from './format.ts';
import { modifierTokens } from './modifier-tokens.ts';
import { type Branch, mayHave, walk } from './path-compile.ts';
import { accountTokens, basedOnTokens, localTokens } from './reference-tokens.ts';
import { principalDate, type SearchParam, searchParamsOf } from './search-params.ts';
import { extractTexts, hasTexts } from './texts-beside.ts';
import { exactToken, hasToken, soundToken } from './tokens.ts';
import { beginResource } from './units.ts';

/** What the search index holds of one resource. `param` is SearchParam.id; date ends are inclusive milliseconds. */
export type Extracted = {
  tokens: bigint[];
  strings: { param: number; value: string }[];
  dates: { param: number; lo: Date; hi: Date }[];
  quantities: QuantityEntry[];
  /** Of a project that looks for words, read when they are asked for. Throws AppError too-costly (400) for too many. */
  words: () => WordEntry[];
  /** Earliest value of the type's principal date. */
  sortDate: Date | undefined;
  /** The end of that value, where it is the only one: then the two tell all that a search asks of the date. */
  sortEnd: Date | undefined;
  /** What a Binary says it belongs to (securityContext). No index has it: it stands in the content. */
  guarded?: string;
};

/** Of a resource that is not there. */
export const NOTHING: Extracted = {
  tokens: [],
  strings: [],
  dates: [],
  quantities: [],
  words: () => [],
  sortDate: undefined,
  sortEnd: undefined,
};

/** `heard`: how many sounds of names are among the tokens. */
type Entries = Place & { tokens: Set<bigint>; heard: number } & Pick<Extracted, 'strings' | 'dates' | 'quantities'>;

/**
 * Index entries of a resource: the same for writing the index and for evaluating a filter in memory. `baseUrl` is the server's own
 * FHIR base, without a slash at the end. `only`: of these parameters alone (SearchParam.id), for who asks by no others. Throws AppError too-costly (400) for
 * more values than an index takes.
 */
export function extract(projectId: string, resource: Resource, baseUrl: string, only?: ReadonlySet<number>): Extracted {
  beginResource();
  const entries: Entries = { projectId, baseUrl, tokens: new Set(), heard: 0, strings: [], dates: [], quantities: [] };
  for (const param of searchParamsOf(resource.resourceType, projectId)) {
    if (only && !only.has(param.id)) continue;
    if (param.supported && !IN_THE_ROW.has(param.code)) addParam(entries, param, resource);
    if (param.code !== '_compartment') continue;
    addOwnCompartment(entries, param, resource);
    for (const token of accountTokens(param, projectId, resource.meta?.accounts ?? [])) entries.tokens.add(token);
  }
  for (const token of basedOnTokens(projectId, basesIn(resource))) entries.tokens.add(token);
  const { tokens, strings, dates, quantities } = entries;
  const sorts = sortDates(resource.resourceType, dates);
  const words = wordsOnce(projectId, resource);
  return { tokens: [...tokens], strings, dates, quantities, words, ...sorts, ...guardOf(resource) };
}

function wordsOnce(projectId: string, resource: Resource): Extracted['words'] {
  let found: WordEntry[] | undefined;
  return () => {
    found ??= extractWords(projectId, resource);
    return found;
  };
}

function basesIn(resource: Resource): string[] {
  if (resource.resourceType !== 'AccessPolicy' || !Array.isArray(resource.basedOn)) return [];
  return resource.basedOn.flatMap(({ reference }: Reference) => reference ?? []);
}

function guardOf(resource: Resource): { guarded?: string } {
  if (resource.resourceType !== 'Binary' || !('securityContext' in resource)) return {};
  return { guarded: (resource.securityContext as { reference?: string } | null)?.reference ?? '' };
}

/** Each is hashed, sent and written, and a body has room for millions. */
const MAX_ENTRIES = 100_000;
/** Of a CodeSystem, which may have a hundred thousand concepts. */
const MAX_OF_SYSTEM = 500_000;
const ORDERED = new Set(['number', 'quantity', 'special']);
const IN_THE_ROW = new Set(['_id', '_lastUpdated']);

function addParam(entries: Entries, param: SearchParam, resource: Resource): void {
  let found = param.kind !== undefined && addComposite(entries, param, resource);
  if (param.kind === undefined && mayHave(resource, param.path)) found = addValues(entries, param, resource);
  if (found) entries.tokens.add(hasToken(param));
  else for (const token of absentTokens(param, entries.projectId)) entries.tokens.add(token);
}

function addValues(entries: Entries, param: SearchParam, resource: Resource): boolean {
  let found = false;
  const texts = hasTexts(param) && param.indexedAs.includes(param.id) ? new Set<string>() : undefined;
  for (const branch of param.path) {
    walk(resource, branch, (value) => {
      found = true;
      addValue(entries, param, branch, value);
      if (texts) for (const text of extractTexts(branch.type, value)) texts.add(text);
    });
  }
  for (const value of texts ?? []) entries.strings.push({ param: windowsOf(param), value });
  return found;
}

function addComposite(entries: Entries, param: SearchParam, resource: Resource): boolean {
  return extractComposite(param, resource, entries, ({ tokens = [], strings = [], quantities = [] }) => {
    for (const token of tokens) entries.tokens.add(token);
    entries.strings.push(...strings);
    entries.quantities.push(...quantities);
    requireFew(entries, param);
  });
}

/** Of a resource: names that come after so many are found by their letters alone. */
const MOST_HEARD = 1000;

function addSounds(entries: Entries, param: SearchParam, text: string): void {
  if (entries.heard >= MOST_HEARD) return;
  const before = entries.tokens.size;
  for (const sound of soundsOf(text).flat()) entries.tokens.add(soundToken(param, entries.projectId, sound));
  entries.heard += entries.tokens.size - before;
}

function addValue(entries: Entries, param: SearchParam, branch: Branch, value: unknown): void {
  const { projectId, tokens, strings, dates, quantities } = entries;
  if (ORDERED.has(param.type)) {
    if (!param.indexedAs.includes(param.id)) return;
    const measures = param.type === 'special' ? extractPlaces(value) : extractMeasures(branch.type, value);
    for (const measure of measures) quantities.push({ param: param.id, key: 0n, ...measure });
  } else if (param.type === 'date') {
    for (const { lo, hi } of extractDates(branch.type, value)) dates.push({ param: param.id, lo, hi });
  } else if (param.heard) {
    for (const text of extractStrings(branch.type, value).raw) addSounds(entries, param, text);
  } else if (param.type === 'string') {
    const { heads, windows, raw } = extractStrings(branch.type, value);
    for (const text of heads) strings.push({ param: param.id, value: text });
    for (const text of windows) strings.push({ param: windowsOf(param), value: text });
    for (const text of raw) tokens.add(exactToken(param, projectId, text));
  } else {
    for (const token of extractTokens(param, branch, entries, value)) tokens.add(token);
    for (const token of modifierTokens(param, branch, projectId, value)) tokens.add(token);
  }
  requireFew(entries, param);
}

function requireFew({ tokens, strings, dates, quantities }: Entries, param: SearchParam): void {
  const most = param.base === 'CodeSystem' ? MAX_OF_SYSTEM : MAX_ENTRIES;
  if (tokens.size + strings.length + dates.length + quantities.length <= most) return;
  throw new AppError('too-costly', `A resource has at most ${most} values to search for`, {
    expression: param.base,
  });
}

/** The compartments by which `_compartment` finds it, as `Type/id`: its own, those that its references put it into, and its accounts. */
export function compartmentsIn(projectId: string, resource: Resource, baseUrl: string): string[] {
  const { resourceType, id } = resource;
  const found = new Set(isCompartment(resourceType) && id !== undefined ? [`${resourceType}/${id}`] : []);
  const param = searchParamsOf(resourceType, projectId).find(({ code }) => code === '_compartment');
  for (const branch of param?.path ?? []) {
    walk(resource, branch, (value) => {
      const parsed = parseReference((value as Reference).reference ?? '', baseUrl);
      if (parsed?.kind === 'local') found.add(`${parsed.type}/${parsed.id}`);
    });
  }
  return [...found];
}

/** A patient belongs to its own compartment; so do the other four kinds. */
function addOwnCompartment({ projectId, tokens }: Entries, param: SearchParam, { resourceType, id }: Resource): void {
  if (!isCompartment(resourceType) || id === undefined) return;
  for (const token of localTokens(param, projectId, resourceType, id)) tokens.add(token);
  tokens.add(hasToken(param));
}

function sortDates(type: string, dates: Extracted['dates']): Pick<Extracted, 'sortDate' | 'sortEnd'> {
  const principal = principalDate(type)?.id;
  const values = dates.filter(({ param }) => param === principal);
  if (values.length === 0) return { sortDate: undefined, sortEnd: undefined };
  const sortDate = new Date(Math.min(...values.map(({ lo }) => lo.getTime())));
  return { sortDate, sortEnd: values.length === 1 ? values[0]!.hi : undefined };
}
