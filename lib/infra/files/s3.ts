import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { env } from '#lib/base/env.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import type { Driver, Part } from './driver.ts';

/** An upload holds so many parts at once, and no more of it. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS = 2;

/** Objects in a bucket, of Amazon or whoever else speaks its protocol. */
export const s3: Driver = { put, open, drop, check };

async function put(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage');
  const body = Readable.from(bytes, { objectMode: false });
  const params = { ...toObject(path), Body: body, ContentType: 'application/octet-stream' };
  try {
    await new Upload({ client: await client(), params, partSize: PART_BYTES, queueSize: PARTS }).done();
  } finally {
    body.destroy();
  }
}

async function open(path: string, part?: Part): Promise<Readable> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const range = part && { Range: `bytes=${part.first}-${part.last}` };
  const { Body } = await (await client()).send(new GetObjectCommand({ ...toObject(path), ...range }));
  if (!(Body instanceof Readable)) throw new Error('The bucket answered no stream');
  return Body;
}

async function drop(path: string): Promise<void> {
  const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
  await (await client()).send(new DeleteObjectCommand(toObject(path)));
}

async function check(): Promise<void> {
  const { HeadBucketCommand } = await import('@aws-sdk/client-s3');
  const { bucket } = requireBucket();
  try {
    await (await client()).send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (cause) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new WrongSettings(`BINARY_STORAGE: the bucket ${bucket} cannot be used: ${reason}`);
  }
}

let made: Promise<S3Client> | undefined;

/** Loaded where it is used alone: it is large. */
function client(): Promise<S3Client> {
  made ??= make();
  return made;
}

async function make(): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env();
  return new S3Client({
    region: S3_REGION,
    // A server of one's own has no name for each bucket.
    ...(S3_ENDPOINT && { endpoint: S3_ENDPOINT, forcePathStyle: true }),
    // Not set: those of this machine, as Amazon's own tools find them.
    ...(S3_ACCESS_KEY_ID &&
      S3_SECRET_ACCESS_KEY && {
        credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
      }),
    // Others know no trailing checksums; a part's own hash is in its signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

function toObject(path: string): { Bucket: string; Key: string } {
  const { bucket, prefix } = requireBucket();
  return { Bucket: bucket, Key: `${prefix}${path}` };
}

function requireBucket(): { bucket: string; prefix: string } {
  const { BINARY_STORAGE } = env();
  if (BINARY_STORAGE === 'files') throw new Error('Some files are in a bucket, and BINARY_STORAGE names none');
  return BINARY_STORAGE;
}
