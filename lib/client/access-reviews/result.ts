import { type ResultReport, verifyResult } from '#lib/protocol/access-reviews/verify-result.ts';
import type { PublicKey } from '#lib/protocol/audit/verify-chain.ts';
import { api } from '../api/api.ts';
import { apiPieces } from '../api/api-pieces.ts';
import { downloadPieces } from '../api/download.ts';

/** The signed result as a file that the browser keeps. */
export async function downloadResult(projectId: string, reviewId: string): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of apiPieces(`/admin/projects/${projectId}/access-reviews/${reviewId}/result`))
    pieces.push(piece);
  downloadPieces(`access-review-${reviewId}.ndjson`, pieces, 'application/x-ndjson');
}

/** Whether a file that was kept is what was signed of this review, as this browser finds it by its own arithmetic. */
export async function verifyFile(file: File, reviewId: string): Promise<ResultReport> {
  const { keys } = await api<{ keys: PublicKey[] }>('/.well-known/audit-keys.json');
  const report = await verifyResult(await file.text(), keys);
  return report.holds && report.head.review !== reviewId
    ? { holds: false, text: `This is the result of another review: ${report.head.name}` }
    : report;
}
