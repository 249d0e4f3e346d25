import { z } from 'zod';

const ENCODINGS = ['base64', 'base64url', 'hex', 'binary', 'latin1', 'ascii', 'utf-8', 'utf8'] as const;
/** As a header may have it. */
export const MEDIA_TYPE = /^(?=.{3,255}$)[\w.+-]+\/[\w.+-]+(?: *;[^\p{Cc}]*)?$/u;
/** What nodemailer calls a file that has no name, by its type. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
};

type Attachment = { filename?: string; contentType?: string; contentId?: string } & (
  | { path: string; content?: undefined }
  | { content: string; path?: undefined }
);

const attachment = z
  .strictObject({
    filename: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\p{Cc}/\\]+$/u)
      .nullish(),
    content: z.unknown().optional(),
    path: z.string().max(2048).nullish(),
    encoding: z.enum(ENCODINGS).nullish(),
    contentType: z.string().regex(MEDIA_TYPE).nullish(),
    /** Of an image that the HTML shows as `cid:`. */
    cid: z
      .string()
      .regex(/^[^\p{Cc}\s<>]{1,127}$/u)
      .nullish(),
  })
  .transform(({ filename, content, path, encoding, contentType, cid }, ctx): Attachment => {
    const bytes = toBytes(content, encoding ?? 'utf8');
    if (path ? (content ?? undefined) !== undefined : !bytes) {
      const message = 'An attachment has a text, a Buffer or a Uint8Array as its content, or the path of a Binary';
      ctx.addIssue({ code: 'custom', message, path: ['content'] });
    }
    return {
      ...(filename && { filename }),
      ...(contentType && { contentType }),
      ...(cid && { contentId: cid }),
      ...(path ? { path } : { content: bytes?.toString('base64') ?? '' }),
    };
  });

/** What each is, in base64, or where it is to be found. */
export const someAttachments = z
  .array(attachment)
  .max(20)
  .transform((all) =>
    all.map((one, at) => ({ ...one, filename: one.filename ?? `attachment-${at + 1}.${endingOf(one.contentType)}` })),
  );

function endingOf(contentType = ''): string {
  return ENDINGS[contentType.split(';')[0]!.toLowerCase()] ?? 'bin';
}

/** A Buffer and a Uint8Array look in JSON as JSON.stringify writes them. */
function toBytes(content: unknown, encoding: BufferEncoding | 'utf-8'): Buffer | undefined {
  if (typeof content === 'string') return Buffer.from(content, encoding);
  if (typeof content !== 'object' || content === null) return undefined;
  const { type, data } = content as { type?: unknown; data?: unknown };
  if (type === 'Buffer' && Array.isArray(data)) return ofBytes(data);
  const keys = Object.keys(content);
  // Nor is what has none bytes: a promise that nobody awaited looks so.
  const isIndexed = keys.length > 0 && keys.every((key, at) => key === String(at));
  return isIndexed ? ofBytes(Object.values(content)) : undefined;
}

function ofBytes(values: unknown[]): Buffer | undefined {
  const areBytes = values.every(
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255,
  );
  return areBytes ? Buffer.from(values as number[]) : undefined;
}
