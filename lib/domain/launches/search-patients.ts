import type { Patient } from 'fhir/r4';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { FoundPatient, FoundPatients } from '#lib/protocol/answers/authorization.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { PatientFilter } from '#lib/protocol/launch/requests.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { gateOf } from '../access/fields.ts';
import { mayReach, reach } from '../access/policy.ts';
import { noteRead } from '../audit/note-read.ts';
import { displayName } from '../profiles/display-name.ts';
import { toResource } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';
import { visibleRows } from '../store/visible-row.ts';

const MOST = 20;
const MOST_WORDS = 5;
const MOST_IDENTIFIERS = 3;

/** The first twenty patients that fit and that this actor may find and read; none for who may not. */
export async function searchPatients(ctx: Ctx, actor: Actor, filter: PatientFilter): Promise<FoundPatients> {
  if (!mayReach(actor, 'Patient', 'search') || !mayReach(actor, 'Patient', 'read'))
    return { patients: [], more: false };
  const params: [string, string][] = [...toParams(filter), ['_count', String(MOST)]];
  const query = parseSearch('Patient', params, actor.projectId, { baseUrl: fhirBase(), gate: gateOf(actor) });
  const { rows, next } = await searchRows(actor.projectId, query, within(actor));
  noteRead({ ...ctx, actor }, 'Patient');
  const seen = await visibleRows(actor, rows);
  return {
    patients: seen.map((row) => toFound(toResource<Patient & { id: string }>(row))),
    more: next !== undefined,
  };
}

/** What is chosen is read next. */
function within(actor: Actor): Expr {
  return and([reach(actor, 'Patient', 'search'), reach(actor, 'Patient', 'read')]);
}

/** Each word begins some part of the name. */
function toParams({ name = '', birthDate, identifier }: PatientFilter): [string, string][] {
  const words = name.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  return [
    ...words.map((word): [string, string] => ['name', escaped(word)]),
    ...(birthDate ? [['birthdate', birthDate] as [string, string]] : []),
    ...(identifier ? [['identifier', escaped(identifier)] as [string, string]] : []),
  ];
}

/** What separates values in a search (R4 §3.1.1.4.0.1) is typed as a part of one here. */
function escaped(text: string): string {
  return text.replace(/[\\,$|]/g, (sign) => `\\${sign}`);
}

function toFound(patient: Patient & { id: string }): FoundPatient {
  const { id, birthDate, gender } = patient;
  const values = (Array.isArray(patient.identifier) ? patient.identifier : []).flatMap(({ value }) => value ?? []);
  return {
    id,
    name: displayName(patient as Parameters<typeof displayName>[0]) ?? 'Without a name',
    ...(birthDate && { birthDate }),
    ...(gender && { gender }),
    identifiers: values.slice(0, MOST_IDENTIFIERS),
  };
}
