/**
 * The one function through which a bot's context speaks to its process. Sync, by copy, primitives and byte arrays only;
 * a new one for every run, so that what is left of an old run cannot speak for the next.
 */
export type Host = {
  (op: 'log', level: string, text: string): boolean;
  (op: 'call', callId: number, method: string, args: string): void;
  (op: 'done', kind: string, text: string): void;
  (op: 'failed', reason: string, message: string, stack?: string, outcome?: string): void;
  (op: 'timer', timerId: number, delayMs: number): void;
  (op: 'clear', timerId: number): void;
  (op: 'url', href: string, base?: string): string;
  (op: 'url-set', href: string, part: string, value: string): string;
  (op: 'encode', text: string): Uint8Array<ArrayBuffer>;
  (op: 'decode', bytes: Uint8Array, label: string, fatal: boolean, keepBom: boolean): string;
  (op: 'encoding', label: string): string;
  (op: 'random', byteLength: number): Uint8Array;
  (op: 'atob' | 'btoa', text: string): string;
  (op: 'uuid'): string;
};

let current: Host | undefined;

export function setHost(host: Host): void {
  current = host;
}

export const host: Host = ((...args: Parameters<Host>) => {
  if (!current) throw new Error('The bot has not started');
  return (current as (...args: unknown[]) => unknown)(...args);
}) as Host;
