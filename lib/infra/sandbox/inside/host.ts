/**
 * What a bot's context asks its process. Sync, by copy, primitives and byte arrays only;
 * a new one for every run, so that what is left of an old run cannot speak for the next. It never throws: undefined is a refusal.
 */
export type Host = {
  (op: 'log', level: string, text: string): boolean;
  (op: 'timer', timerId: number, delayMs: number): void;
  (op: 'clear', timerId: number): void;
  (op: 'url', href: string, base?: string): string | undefined;
  (op: 'url-set', href: string, part: string, value: string): string | undefined;
  (op: 'encode', text: string): Uint8Array<ArrayBuffer>;
  (op: 'decode', bytes: Uint8Array, label: string, fatal: boolean, keepBom: boolean): string | undefined;
  (op: 'encoding', label: string): string | undefined;
  (op: 'random', byteLength: number): Uint8Array | undefined;
  (op: 'atob' | 'btoa', text: string): string | undefined;
  (op: 'uuid'): string;
  /** The script of `@medplum/core`. */
  (op: 'core'): string;
  (op: 'now'): number;
  (op: 'abort', callId: number): void;
  (op: 'to-base64', bytes: Uint8Array): string | undefined;
  (op: 'from-base64', text: string): Uint8Array<ArrayBuffer> | undefined;
  (
    op: 'cipher',
    name: string,
    encrypts: boolean,
    key: Uint8Array,
    iv: Uint8Array,
    data: Uint8Array,
    more?: { aad?: Uint8Array; padding?: boolean },
  ): Uint8Array<ArrayBuffer> | undefined;
  (
    op: 'sign',
    key: string,
    hash: string,
    padding: RsaPadding | undefined,
    dsaEncoding: string,
    data: Uint8Array,
  ): Uint8Array<ArrayBuffer> | undefined;
  (
    op: 'verify',
    key: string,
    hash: string,
    padding: RsaPadding | undefined,
    dsaEncoding: string,
    data: Uint8Array,
    signature: Uint8Array,
  ): boolean | undefined;
  (
    op: 'rsa',
    key: string,
    encrypts: boolean,
    padding: string,
    hash: string,
    label: Uint8Array | undefined,
    data: Uint8Array,
  ): Uint8Array<ArrayBuffer> | undefined;
  (op: 'agree', privateKey: string, publicKey: string): Uint8Array<ArrayBuffer> | undefined;
  (op: 'new-key', curve: string): string | undefined;
  (op: 'key', key: string, format: 'pem' | 'der' | 'jwk', type?: string): string | undefined;
  (op: 'public-key', key: string): string | undefined;
};

/** What it says, without waiting until that is heard. Heard in the order in which both are spoken to; as new for every run. */
export type Tell = {
  (op: 'call', callId: number, method: string, args: string): void;
  (op: 'done', kind: string, text: string): void;
  (op: 'failed', reason: string, message: string, stack?: string, outcome?: string): void;
};

export type RsaPadding = { kind: 'pkcs1' | 'pss'; saltLength?: number };

let current: Host | undefined;
let telling: Tell | undefined;

export function setHost(host: Host): void {
  current = host;
}

export function setTell(tell: Tell): void {
  telling = tell;
}

/** No spread: what that calls is the bot's to replace, and would see the function and choose what it is given. */
export const host: Host = ((
  op: string,
  a?: unknown,
  b?: unknown,
  c?: unknown,
  d?: unknown,
  e?: unknown,
  f?: unknown,
) => {
  if (!current) throw new Error('The bot has not started');
  return (current as (...args: unknown[]) => unknown)(op, a, b, c, d, e, f);
}) as Host;

/** As `host`. */
export const tell: Tell = ((op: string, a?: unknown, b?: unknown, c?: unknown, d?: unknown) => {
  (telling as unknown as (...args: unknown[]) => unknown)(op, a, b, c, d);
}) as Tell;
