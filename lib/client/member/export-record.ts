import { apiPieces } from '../api/api-pieces.ts';
import { downloadPieces } from '../api/download.ts';

/** A patient's record as a file that the browser keeps. Throws where it breaks off: then nothing is kept. */
export async function exportRecord(projectId: string, membershipId: string): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of apiPieces(`/admin/projects/${projectId}/members/${membershipId}/record`))
    pieces.push(piece);
  downloadPieces(`record-${membershipId}.ndjson`, pieces, 'application/fhir+ndjson');
}
