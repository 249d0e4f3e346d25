import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { type ExportLevel, startExport } from '#lib/domain/bulk-data/start-export.ts';
import { MOST_ASKED, readExportRequest } from '#lib/protocol/fhir/bulk/read-export-request.ts';
import { accepted } from '#lib/protocol/fhir/outcome.ts';
import { readJson } from '../../door/read-body.ts';
import { fhir, type Reply } from '../../door/reply.ts';
import { requireAcceptable } from '../negotiation.ts';
import type { OperationInput } from '../operations/operation.ts';
import { searchShape } from '../prefer.ts';

/** What each export takes (Bulk Data Access 2.0.0, §3.1), read by `readExportRequest`. */
export const OF_AN_EXPORT = {
  _outputFormat: { type: 'string', documentation: 'application/fhir+ndjson, which it is anyway' },
  _since: { type: 'instant' },
  _type: { type: 'string', max: MOST_ASKED.types, documentation: 'One or several, with commas' },
  _typeFilter: {
    type: 'string',
    max: MOST_ASKED.filters,
    documentation: 'Searches of a type, each of which adds to it',
  },
  _elements: { type: 'string', max: MOST_ASKED.elements },
} as const;

export const OF_PATIENTS = {
  ...OF_AN_EXPORT,
  patient: { type: 'Reference', max: MOST_ASKED.patients, documentation: 'By POST alone' },
} as const;

/** Bytes of Parameters with a thousand patients. */
const MAX_BODY = 256 * 1024;
const MOST_PARAMETERS = 2000;

/** It is never done at once: Prefer: respond-async may be left out (Bulk Data Access §3.1.1). */
export async function kickOff({ ctx, request, url, extended }: OperationInput, level: ExportLevel): Promise<Reply> {
  requireAcceptable(request, url);
  const inBody = request.method === 'POST' && request.body ? toParams(await readJson(request, MAX_BODY)) : [];
  if (request.method === 'GET' && url.searchParams.has('patient')) {
    throw new AppError('invalid', 'patient is sent by POST, as Parameters: addresses are logged', {
      expression: 'patient',
    });
  }
  const { lenient = false } = searchShape(request, extended);
  const asked = readExportRequest([...url.searchParams, ...inBody], lenient);
  const id = await startExport(ctx, level, asked, `${fhirBase()}/${pathOf(level)}${url.search}`);
  const status = `${fhirBase()}/export/${id}/status`;
  return fhir(accepted(status), 202, { 'content-location': status });
}

function pathOf(level: ExportLevel): string {
  if (level.of === 'group') return `Group/${level.id}/$export`;
  return level.of === 'patients' ? 'Patient/$export' : '$export';
}

type Parameter = { name?: unknown; valueReference?: { reference?: unknown } } & Record<string, unknown>;

const VALUES = ['valueString', 'valueInstant', 'valueDateTime', 'valueDate', 'valueCode', 'valueUri'];

function toParams(body: unknown): [string, string][] {
  if (body === undefined) return [];
  const { resourceType, parameter = [] } = (body ?? {}) as { resourceType?: unknown; parameter?: unknown };
  if (resourceType !== 'Parameters' || !Array.isArray(parameter) || parameter.length > MOST_PARAMETERS) {
    throw bad('Parameters.parameter', 'Send the parameters in the address, or as Parameters');
  }
  return parameter.map((item: Parameter | null, at): [string, string] => {
    const value =
      VALUES.map((name) => item?.[name]).find((one) => one !== undefined) ?? item?.valueReference?.reference;
    if (typeof item?.name === 'string' && typeof value === 'string') return [item.name, value];
    throw bad(
      `Parameters.parameter[${at}]`,
      `${typeof item?.name === 'string' ? item.name.slice(0, 80) : 'A parameter'} needs a name, and a text or a reference`,
    );
  });
}

function bad(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
