import { host } from '../host.ts';

/** Where the isolate has no Response of its own: as much of the standard as the client looks at. */
export class PlainResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText = '';
  readonly headers: PlainHeaders;
  #body: Uint8Array<ArrayBuffer> | string;

  constructor(
    body: Uint8Array<ArrayBuffer> | string | null,
    init: { status: number; headers: Record<string, string> },
  ) {
    this.status = init.status;
    this.ok = init.status >= 200 && init.status < 300;
    this.headers = new PlainHeaders(init.headers);
    this.#body = body ?? '';
  }

  async text(): Promise<string> {
    return toText(this.#body);
  }

  async json(): Promise<unknown> {
    return JSON.parse(toText(this.#body));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return toBytes(this.#body).buffer;
  }

  async blob(): Promise<PlainBlob> {
    return new PlainBlob(toBytes(this.#body), this.headers.get('content-type') ?? '');
  }
}

class PlainHeaders {
  #values: Record<string, string>;

  constructor(values: Record<string, string>) {
    this.#values = values;
  }

  get(name: string): string | null {
    return this.#values[name.toLowerCase()] ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  forEach(callback: (value: string, name: string) => void): void {
    for (const [name, value] of Object.entries(this.#values)) callback(value, name);
  }
}

/** The client asks for the name of the class that it is given. */
const PlainBlob = class Blob {
  readonly type: string;
  readonly size: number;
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>, type: string) {
    this.type = type;
    this.size = bytes.length;
    this.#bytes = bytes;
  }

  async text(): Promise<string> {
    return toText(this.#bytes);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }
};
type PlainBlob = InstanceType<typeof PlainBlob>;

function toText(body: Uint8Array<ArrayBuffer> | string): string {
  return typeof body === 'string' ? body : (host('decode', body, 'utf-8', false, false) ?? '');
}

function toBytes(body: Uint8Array<ArrayBuffer> | string): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? host('encode', body) : body;
}
