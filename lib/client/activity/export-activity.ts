'use client';
import { apiPieces } from '../api/api-pieces.ts';
import { downloadPieces } from '../api/download.ts';
import { type ActivitySearch, toAuditQuery } from './activity.ts';

export type ExportFormat = 'csv' | 'ndjson' | 'chain';

/** A chain is whole, whatever is filtered. */
const FILES = {
  csv: { name: 'activity.csv', type: 'text/csv;charset=utf-8' },
  ndjson: { name: 'activity.ndjson', type: 'application/fhir+ndjson' },
  chain: { name: 'audit-chain.ndjson', type: 'application/x-ndjson' },
} as const;
const LINE_END = 10;

export type ExportActivity = {
  projectId: string;
  search: ActivitySearch;
  format: ExportFormat;
  /** Told how many entries have come so far. */
  came: (rows: number) => void;
  signal: AbortSignal;
};

/** All of what is filtered, as a file that the browser keeps. Nothing is kept where it breaks off. */
export async function exportActivity({ projectId, search, format, came, signal }: ExportActivity): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  // The first line of a CSV names the columns.
  let rows = format === 'csv' ? -1 : 0;
  const filters = format === 'chain' ? '' : `&${toAuditQuery(search)}`;
  const path = `/admin/projects/${projectId}/audit/export?format=${format}${filters}`;
  for await (const piece of apiPieces(path, { signal })) {
    pieces.push(piece);
    for (const byte of piece) if (byte === LINE_END) rows += 1;
    came(Math.max(0, rows));
  }
  downloadPieces(FILES[format].name, pieces, FILES[format].type);
}
