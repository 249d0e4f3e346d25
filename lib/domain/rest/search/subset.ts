import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import { type ElementSpec, propertiesOf } from '#lib/protocol/fhir/structures.ts';
import type { Meta } from '#lib/protocol/fhir/types.ts';
import { parseKept } from '#lib/protocol/json/json.ts';

const SUBSETTED = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };
const ALWAYS = ['resourceType', 'id', 'meta'];

/** Whether the search asks for less than whole resources. */
export function isSubset({ elements, summary }: Part): boolean {
  return elements !== undefined || summary === 'true' || summary === 'text' || summary === 'data';
}

/** A resource's JSON text with the wanted elements, the mandatory ones and the tag that says so (R4 search §3.1.1.5.8, .9); as it is where the whole is wanted. */
export function toPart(type: string, text: string, part: Part | undefined): string {
  return part && isSubset(part) ? toSubset(type, text, part) : text;
}

/** As toPart, of less than the whole. */
export function toSubset(type: string, text: string, wanted: Part): string {
  const whole = parseKept(text) as { meta?: Meta };
  const isKept = keeps(type, wanted);
  // `_birthDate` goes with `birthDate`.
  const part = Object.fromEntries(Object.entries(whole).filter(([name]) => isKept(name.replace(/^_/, ''))));
  return JSON.stringify({ ...part, meta: { ...whole.meta, tag: [...(whole.meta?.tag ?? []), SUBSETTED] } });
}

function keeps(type: string, { elements, summary }: Part): (name: string) => boolean {
  if (summary === 'data' && !elements) return (name) => name !== 'text';
  const names = new Set(elements?.map((path) => topLevel(type, path)));
  const isPart = ({ name, min, summary: inSummary }: ElementSpec): boolean => {
    if (min === 1 || names.has(name)) return true;
    return !elements && (summary === 'text' ? name === 'text' : inSummary);
  };
  // `_elements` may name one form of a choice, too (valueQuantity).
  return among([...ALWAYS, ...names, ...propertiesOf(type, isPart)]);
}

/** `name.family` and `Patient.name` are `name`: what is kept is kept whole. */
function topLevel(type: string, path: string): string {
  const [first = '', second] = path.split('.');
  return first === type && second !== undefined ? second : first;
}

function among(names: string[]): (name: string) => boolean {
  const set = new Set(names);
  return (name) => set.has(name);
}
