import { fhirBase } from '#lib/base/fhir-base.ts';
import { isKeyedHash, keyedHash } from '#lib/infra/crypto/keyed-hash.ts';
import type { BulkExportRow } from '#lib/infra/db/schema/fhir/bulk-data.ts';

const PURPOSE = 'piece of an export';

export type PieceLink = { projectId: string; exportId: string; piece: string; expires: string; signature: string };

/** The address of a piece, good until the export is over for whoever has it. */
export function pieceUrl({ projectId, id, expiresAt }: BulkExportRow, piece: number): string {
  const expires = String(expiresAt.getTime());
  const signature = keyedHash(PURPOSE, signed({ projectId, exportId: id, piece: String(piece), expires }));
  const query = new URLSearchParams({ project: projectId, expires, signature });
  return `${fhirBase()}/export/${id}/${piece}?${query}`;
}

export function isSound(link: PieceLink): boolean {
  return isKeyedHash(PURPOSE, signed(link), link.signature) && Number(link.expires) > Date.now();
}

function signed({ projectId, exportId, piece, expires }: Omit<PieceLink, 'signature'>): string {
  return [projectId, exportId, piece, expires].join(' ');
}
