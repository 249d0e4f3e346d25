import type { EndLine, Manifest } from '#lib/protocol/transfer/lines.ts';
import { apiPieces } from '../api/api-pieces.ts';
import { downloadPieces } from '../api/download.ts';

const LINE_END = 10;
/** The last line is shorter. */
const TAIL_BYTES = 4096;

export type ExportProject = {
  projectId: string;
  /** Told how many lines have come so far, and how many versions there are: most lines are one. */
  came: (lines: number, versions: number) => void;
  signal: AbortSignal;
};

/** The whole project as a file that the browser keeps. Nothing is kept that does not end as it should. */
export async function exportProject({ projectId, came, signal }: ExportProject): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let [lines, versions] = [0, 0];
  for await (const piece of apiPieces(`/admin/projects/${projectId}/export`, { signal })) {
    // The manifest is a piece of its own, and the first.
    if (lines === 0) versions = countVersions(piece);
    pieces.push(piece);
    for (const byte of piece) if (byte === LINE_END) lines += 1;
    came(lines, versions);
  }
  if (!(await isWhole(pieces, lines))) throw new Error('The file broke off. Nothing was kept: export it again.');
  downloadPieces(`project-${projectId}.ndjson`, pieces, 'application/x-ndjson');
}

function countVersions(piece: Uint8Array): number {
  try {
    const [first = ''] = new TextDecoder().decode(piece).split('\n', 1);
    return Object.values((JSON.parse(first) as Manifest).versions).reduce((sum, n) => sum + n, 0);
  } catch {
    return 0;
  }
}

async function isWhole(pieces: Uint8Array<ArrayBuffer>[], lines: number): Promise<boolean> {
  const tail = await new Blob(pieces.slice(-8)).slice(-TAIL_BYTES).text();
  try {
    const end = JSON.parse(tail.trimEnd().split('\n').at(-1) ?? '') as EndLine;
    return end.kind === 'end' && end.lines === lines - 1;
  } catch {
    return false;
  }
}
