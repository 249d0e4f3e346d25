import { fhirBase } from '#lib/base/fhir-base.ts';
import { requireImporter, startImport } from '#lib/domain/bulk-import/start-import.ts';
import { readImportRequest } from '#lib/protocol/fhir/bulk/read-import-request.ts';
import { accepted } from '#lib/protocol/fhir/outcome.ts';
import { readJson } from '../../door/read-body.ts';
import { fhir, type Reply } from '../../door/reply.ts';
import { requireAcceptable } from '../negotiation.ts';
import type { OperationInput } from '../operations/operation.ts';
import { refuseAddress } from '../operations/read-parameters.ts';
import { refuseKey } from '../preconditions.ts';

/** It is never done at once: Prefer: respond-async may be left out. Who may not is told so before any fault of the request. */
export async function beginImport({ ctx, request, url }: OperationInput): Promise<Reply> {
  requireImporter(ctx);
  requireAcceptable(request, url);
  refuseAddress(url);
  refuseKey(request);
  const id = await startImport(ctx, readImportRequest(await readJson(request)));
  const status = `${fhirBase()}/import/${id}/status`;
  return fhir(accepted(status), 202, { 'content-location': status });
}
