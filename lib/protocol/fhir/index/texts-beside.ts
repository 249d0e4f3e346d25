import { foldString, toEntries } from './normalize.ts';

type Param = { type: string; code: string; path: readonly { type: string; truth?: unknown }[] };
type Concept = { text?: unknown; coding?: unknown };

/**
 * Of tokens alone: what a reference shows is `:text` from R5 on. It was three of six rows of an Observation that shows all it refers to, and 1.4 KB of the
 * 10.4 that PostgreSQL logged to create it.
 */
const TEXTED: ReadonlySet<string> = new Set(['CodeableConcept', 'Coding', 'Identifier']);

/** Whether values of the parameter may have texts beside them, which `:text` finds. What stands in `meta` has none that anybody reads. */
export function hasTexts({ type, code, path }: Param): boolean {
  return type === 'token' && !code.startsWith('_') && path.some((branch) => !branch.truth && TEXTED.has(branch.type));
}

/** Folded, by their beginnings: a concept's text and displays, the text of an identifier's type (R4 search §3.1.1.4.8). */
export function extractTexts(type: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return textsOf(type, value).flatMap((text) => {
    const head = typeof text === 'string' ? toEntries(foldString(text)).head : '';
    return head === '' ? [] : [head];
  });
}

function textsOf(type: string, value: object): unknown[] {
  if (type === 'Coding') return [(value as { display?: unknown }).display];
  if (type === 'Identifier') return [(value as { type?: Concept }).type?.text];
  if (type !== 'CodeableConcept') return [];
  const { text, coding } = value as Concept;
  const displays = Array.isArray(coding) ? coding.map((item: { display?: unknown } | null) => item?.display) : [];
  return [text, ...displays];
}
