import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { structure, summaryElements } from '#lib/protocol/fhir/structures.ts';
import type { Meta } from '#lib/protocol/fhir/types.ts';
import { parseJson } from '#lib/protocol/json/json.ts';

const SUBSETTED = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };
const ALWAYS = ['resourceType', 'id', 'meta'];

type Wanted = Pick<SearchQuery, 'elements' | 'summary'>;

/** Whether the search asks for less than whole resources. */
export function isSubset({ elements, summary }: Wanted): boolean {
  return elements !== undefined || summary === 'true' || summary === 'text' || summary === 'data';
}

/** A resource's JSON text with the wanted elements, the mandatory ones and the tag that says so (R4 search §3.1.1.5.8, .9). */
export function toSubset(type: string, text: string, wanted: Wanted): string {
  const whole = parseJson(text) as { meta?: Meta };
  const isKept = keeps(type, wanted);
  // `_birthDate` goes with `birthDate`.
  const part = Object.fromEntries(Object.entries(whole).filter(([name]) => isKept(name.replace(/^_/, ''))));
  return JSON.stringify({ ...part, meta: { ...whole.meta, tag: [...(whole.meta?.tag ?? []), SUBSETTED] } });
}

function keeps(type: string, { elements, summary }: Wanted): (name: string) => boolean {
  if (elements)
    return among([...ALWAYS, ...mandatory(type), ...elements.map((path) => path.replace(/^.*?([^.]+).*$/, '$1'))]);
  if (summary === 'text') return among([...ALWAYS, ...mandatory(type), 'text']);
  if (summary === 'data') return (name) => name !== 'text';
  return among([...ALWAYS, ...summaryElements(type)]);
}

function mandatory(type: string): string[] {
  return [...(structure(type)?.elements.values() ?? [])].filter(({ min }) => min === 1).map(({ name }) => name);
}

function among(names: string[]): (name: string) => boolean {
  const set = new Set(names);
  return (name) => set.has(name);
}
