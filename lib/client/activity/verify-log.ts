'use client';
import type { HeadPage } from '#lib/protocol/answers/audit.ts';
import { type ChainReport, type PublicKey, verifyChain } from '#lib/protocol/audit/verify-chain.ts';
import { api } from '../api/api.ts';
import { apiPieces } from '../api/api-pieces.ts';

export type VerifyLog = {
  projectId: string;
  /** An exported chain; without one, that of now is asked of the server. */
  file?: File;
  /** Heads that were kept, whatever stands between them. */
  kept: string;
  /** Told how many rows were looked at. */
  came: (rows: number) => void;
  signal: AbortSignal;
};

/** Whether the audit log is whole. Every hash and signature is computed in this browser. */
export async function verifyLog({ projectId, file, kept, came, signal }: VerifyLog): Promise<ChainReport> {
  const path = `/admin/projects/${projectId}/audit/export?format=chain`;
  const pieces = file ? piecesOf(file) : apiPieces(path, { signal });
  // After the chain was asked for: with its head, the key that signed it is there.
  const lines = linesOf(pieces);
  const first = await lines.next();
  const { keys } = await api<{ keys: PublicKey[] }>('/.well-known/audit-keys.json', { signal });
  return verifyChain({ lines: joined(first, lines), keys, kept: headsIn(kept), came });
}

/** Where the chain stands now, signed: to be kept elsewhere. */
export async function currentHead(projectId: string): Promise<string | undefined> {
  const { heads } = await api<HeadPage>(`/admin/projects/${projectId}/audit/heads?_count=1`);
  return heads[0]?.jws;
}

function headsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
  return undefined;
}

async function* joined(first: IteratorResult<string, undefined>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
