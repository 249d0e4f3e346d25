import { randomBytes } from 'node:crypto';
import { newId } from '#lib/base/ids.ts';

const ID = 16;
const SECRET = 32;

export type TokenName = { projectId: string; id: string };

/** A token says its project and its id, so that it is found by one statement of that project; what proves it are 256 random bits. */
export function makeNamedToken(prefix: string, projectId: string): TokenName & { token: string } {
  const id = newId();
  const bytes = Buffer.concat([toBytes(projectId), toBytes(id), randomBytes(SECRET)]);
  return { projectId, id, token: `${prefix}${bytes.toString('base64url')}` };
}

/** Undefined for what is no token at all. */
export function readNamedToken(prefix: string, token: string): TokenName | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const text = token.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 2 * ID + SECRET || bytes.toString('base64url') !== text) return undefined;
  return { projectId: toUuid(bytes.subarray(0, ID)), id: toUuid(bytes.subarray(ID, 2 * ID)) };
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
