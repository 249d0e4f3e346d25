import { host } from '../host.ts';
import type { CallBridge } from './api-fetch.ts';
import type { ClientPart } from './client.ts';

// From the prelude (prelude.ts): evaluates the third bundle and calls its `createClientPart`.
declare function __loadClientPart(...args: unknown[]): ClientPart;

let loaded: ClientPart | undefined;

export function loadClient(callBridge: CallBridge): ClientPart {
  loaded ??= __loadClientPart(host, callBridge);
  return loaded;
}

export function loadedClient(): ClientPart | undefined {
  return loaded;
}
