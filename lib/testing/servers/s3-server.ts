import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4, type SignatureV4Init } from '@smithy/signature-v4';

type HashConstructor = NonNullable<SignatureV4Init['sha256']>;

const KEY = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };

/** As the SDK wants a hash. */
class Sha256 {
  readonly #hash;
  constructor(secret?: Uint8Array | string) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
  reset(): void {}
}

export type S3Server = {
  endpoint: string;
  credentials: typeof KEY;
  objects: Map<string, Buffer>;
  /** Uploads in parts that are neither done nor given up. */
  open: Map<string, Map<number, Buffer>>;
  /** Answers 503 from now on. */
  fail(fails: boolean): void;
  stop(): Promise<void>;
};

/** What Gatehouse asks of S3, from memory, for one bucket. Every request is signed anew with the SDK's own signer, and refused where that differs. */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const open = new Map<string, Map<number, Buffer>>();
  const signer = new SignatureV4({
    credentials: KEY,
    region: 'eu-test-1',
    service: 's3',
    sha256: Sha256 as HashConstructor,
    uriEscapePath: false,
  });
  let fails = false;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    credentials: KEY,
    objects,
    open,
    fail: (value) => {
      fails = value;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { pathname, searchParams } = new URL(request.url!, 'http://s3');
    if (fails) return void response.writeHead(503).end();
    if (!(await isSigned(request, body))) return void response.writeHead(403).end(toError('SignatureDoesNotMatch'));
    const [, inBucket, ...rest] = pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    if (inBucket !== bucket) return void response.writeHead(404).end(toError('NoSuchBucket'));
    const upload = searchParams.get('uploadId');
    const does = `${request.method} ${upload ? 'part' : searchParams.has('uploads') ? 'begin' : key === '' ? 'bucket' : 'object'}`;
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    if (does === 'HEAD bucket') response.end();
    else if (does === 'POST begin') {
      const id = crypto.randomUUID();
      open.set(id, new Map());
      response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    } else if (does === 'PUT part') {
      open.get(upload!)!.set(Number(searchParams.get('partNumber')), body);
      response.setHeader('etag', etag).end();
    } else if (does === 'POST part') {
      const parts = [...open.get(upload!)!].sort(([a], [b]) => a - b);
      objects.set(key, Buffer.concat(parts.map(([, part]) => part)));
      open.delete(upload!);
      response.end(`<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
    } else if (does === 'DELETE part') {
      open.delete(upload!);
      response.writeHead(204).end();
    } else if (does === 'PUT object') {
      objects.set(key, body);
      response.setHeader('etag', etag).end();
    } else if (does === 'DELETE object') {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (does === 'GET object') sendObject(request, response, objects.get(key));
    else response.writeHead(501).end();
  }

  async function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Promise<boolean> {
    const {
      authorization = '',
      'x-amz-date': date = '',
      'x-amz-content-sha256': hash = '',
    } = headers as Record<string, string>;
    if (hash !== createHash('sha256').update(body).digest('hex')) return false;
    const { pathname, searchParams } = new URL(url, 'http://s3');
    const named = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
    const signed = await signer.sign(
      {
        ...{
          method,
          protocol: 'http:',
          hostname: '127.0.0.1',
          path: pathname,
          query: Object.fromEntries(searchParams),
        },
        headers: Object.fromEntries(named.map((name) => [name, String(headers[name])])),
      },
      { signingDate: new Date(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')) },
    );
    return signed.headers.authorization === authorization;
  }
}

function sendObject(request: IncomingMessage, response: ServerResponse, object: Buffer | undefined): void {
  if (!object) return void response.writeHead(404).end(toError('NoSuchKey'));
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) return void response.end(object);
  response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${object.length}` });
  response.end(object.subarray(Number(from), Number(to) + 1));
}

function toError(code: string): string {
  return `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
}
