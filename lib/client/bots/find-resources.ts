'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FhirResource } from 'fhir/r4';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { SearchSet } from '../api/types.ts';

export type FoundResource = { resource: FhirResource; title: string; version: string; lastUpdated?: string };

const COUNT = '8';
const NAMED = new Set([
  ...['Endpoint', 'HealthcareService', 'InsurancePlan', 'Library', 'Location', 'Measure', 'Organization', 'Patient'],
  ...['Person', 'PlanDefinition', 'Practitioner', 'Questionnaire', 'RelatedPerson', 'StructureDefinition', 'ValueSet'],
  ...['ActivityDefinition', 'CodeSystem', 'ConceptMap', 'Bot', 'ClientApplication'],
]);
const OF_PATIENTS = new Set([
  ...['AllergyIntolerance', 'Appointment', 'CarePlan', 'CareTeam', 'Claim', 'Condition', 'Consent', 'Coverage'],
  ...['DeviceRequest', 'DiagnosticReport', 'DocumentReference', 'Encounter', 'EpisodeOfCare', 'Flag', 'Goal'],
  ...['Immunization', 'MedicationAdministration', 'MedicationDispense', 'MedicationRequest', 'MedicationStatement'],
  ...['Observation', 'Procedure', 'QuestionnaireResponse', 'ServiceRequest', 'Specimen', 'Task', 'Communication'],
]);

/** What words find of a type beside an id. */
export function wordsOf(type: string): { parameter: string; label: string } {
  if (NAMED.has(type)) return { parameter: 'name', label: 'Name or id' };
  if (OF_PATIENTS.has(type)) return { parameter: 'patient.name', label: 'Name of the patient, or id' };
  return { parameter: 'identifier', label: 'Identifier or id' };
}

/** Resources of a type that an id or words name; without either those that changed last. With one's own rights. */
export function useResources(projectId: string, type: string, words: string) {
  const text = words.trim();
  return useQuery({
    queryKey: [...keys.project(projectId), 'resources', type, text],
    enabled: /^[A-Z][A-Za-z]+$/.test(type),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<FoundResource[]> => {
      if (text === '') return search(type, { _sort: '-_lastUpdated', _count: COUNT }, signal);
      const isId = /^[A-Za-z0-9.-]{1,64}$/.test(text);
      const found = await Promise.all([
        isId ? search(type, { _id: text }, signal) : [],
        search(type, { [wordsOf(type).parameter]: text.replace(/[\\,$|]/g, '\\$&'), _count: COUNT }, signal),
      ]);
      return [...new Map(found.flat().map((each) => [each.resource.id, each])).values()];
    },
  });
}

async function search(type: string, query: Record<string, string>, signal: AbortSignal): Promise<FoundResource[]> {
  // Not extended: as a bot gets it, without what the console is told beside.
  const headers = { 'X-Medplum': '' };
  const path = `/fhir/R4/${type}?${new URLSearchParams(query)}`;
  const bundle = await api<SearchSet<FhirResource>>(path, { headers, signal });
  return (bundle.entry ?? []).map(({ resource }) => ({
    resource,
    title: titleOf(resource as unknown as Record<string, unknown>),
    version: resource.meta?.versionId ?? '',
    lastUpdated: resource.meta?.lastUpdated,
  }));
}

/** A few words by which people know it: its name, what it is about, or its id. */
export function titleOf(resource: Record<string, unknown>): string {
  const { name, title, code, description, id } = resource;
  return textOf(name) ?? textOf(title) ?? textOf(code) ?? textOf(description) ?? String(id ?? '');
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.slice(0, 80) || undefined;
  if (Array.isArray(value)) return textOf(value[0]);
  if (typeof value !== 'object' || value === null) return undefined;
  const { text, given, family, coding } = value as Record<string, unknown>;
  if (typeof text === 'string' && text !== '') return text;
  const parts = [...(Array.isArray(given) ? given : []), family].filter((part) => typeof part === 'string');
  if (parts.length > 0) return parts.join(' ');
  const [first] = Array.isArray(coding) ? coding : [];
  const { display, code } = (first ?? {}) as Record<string, unknown>;
  return textOf(display) ?? textOf(code);
}
