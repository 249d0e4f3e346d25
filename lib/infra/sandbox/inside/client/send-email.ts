import { toBase64 } from './base64.ts';

type Email = { attachments?: unknown };

/** The same mail with the bytes of its attachments in base64: as JSON would tell them, a file has too many values for a request. */
export function withBytes(email: Email): Email {
  if (!Array.isArray(email?.attachments)) return email;
  return { ...email, attachments: email.attachments.map(inBase64) };
}

function inBase64(attachment: { content?: unknown }): unknown {
  const bytes = toBytes(attachment?.content);
  return bytes ? { ...attachment, content: toBase64(bytes), encoding: 'base64' } : attachment;
}

function toBytes(content: unknown): Uint8Array | undefined {
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (!ArrayBuffer.isView(content)) return undefined;
  return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
}
