import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { BulkExportRow, ExportAsked } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { CONTROLS } from '#lib/protocol/fhir/search/controls.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Actor } from '../access/context.ts';
import { gateOf } from '../access/fields.ts';
import { seenInCompartment } from '../access/seen-in-compartment.ts';
import { parseOwn } from '../store/own-params/parse-own.ts';

/** Patients whose compartments are looked at together: of each some tokens are looked up. */
export const BATCH = 200;

type Of = Pick<BulkExportRow, 'projectId' | 'asked' | 'members'>;
/** Whose export it is. */
type Author = Pick<Actor, 'policy' | 'projectId'>;

/** What is asked of a type, without what the caller may see of it. */
export async function pieceFilter(
  { projectId, asked, members }: Of,
  author: Author,
  type: string,
  batch: number,
): Promise<Expr> {
  const since: Expr[] = asked.since ? [{ op: 'lastUpdated', ranges: [{ from: new Date(asked.since) }] }] : [];
  const own = (await filtersOf(projectId, author, asked)).get(type);
  const within: Expr[] = members ? [seenIn(projectId, author, type, batchOf(members, batch))] : [];
  return and([...within, ...(own ? [own] : []), ...since]);
}

/** Of each type that has some, any must hold. Throws 400 for what is no search, or one that shapes an answer or asks of other resources. */
export async function filtersOf(
  projectId: string,
  author: Author,
  { filters }: Pick<ExportAsked, 'filters'>,
): Promise<Map<string, Expr>> {
  const found = new Map<string, Expr[]>();
  for (const text of filters) {
    const at = text.indexOf('?');
    const type = text.slice(0, at);
    const params = [...new URLSearchParams(text.slice(at + 1))];
    const control = params.find(([name]) => CONTROLS.has(name));
    if (control) throw bad(`_typeFilter does not take ${control[0]}`);
    const { filter } = await parseOwn(type, params, projectId, { baseUrl: fhirBase(), gate: gateOf(author) });
    found.set(type, [...(found.get(type) ?? []), filter]);
  }
  return new Map([...found].map(([type, args]) => [type, args.length === 1 ? args[0]! : { op: 'or', args }]));
}

function batchOf(members: readonly string[], batch: number): string[] {
  return members.slice(batch * BATCH, (batch + 1) * BATCH);
}

/** The tokens of which a resource of this type has one that is in a compartment of these patients. */
export function compartmentsOf(projectId: string, type: string, patients: readonly string[]): bigint[] {
  const param = searchParam(type, '_compartment');
  const base = fhirBase();
  if (!param) return [];
  return patients.flatMap((id) => tokensReferringTo(param, projectId, { type: 'Patient', id }, base));
}

/** Those of which the author sees what puts them there. */
function seenIn(projectId: string, author: Author, type: string, ids: string[]): Expr {
  return and([seenInCompartment(author, type, { type: 'Patient', ids }), inCompartments(projectId, type, ids)]);
}

function inCompartments(projectId: string, type: string, patients: readonly string[]): Expr {
  const anyOf = compartmentsOf(projectId, type, patients);
  return anyOf.length === 0 ? { op: 'none' } : { op: 'token', anyOf, selective: true };
}

function bad(text: string): AppError {
  return new AppError('invalid', text, { expression: '_typeFilter' });
}
