import { type Answer, type Call, callApi } from './call-api.ts';

export type AuthCall = Call & {
  /** A bearer token. */
  token?: string;
  /** The caller's address, as the fast lane tells it. */
  remote?: string;
};

let addresses = 0;

/** As `callApi`, from an address of its own unless `remote` says otherwise: no test meets another's throttle. */
export function callAuth(method: string, path: string, call: AuthCall = {}): Promise<Answer> {
  const { token, remote, headers, ...rest } = call;
  addresses += 1;
  const address = remote ?? `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  const all = { 'x-gatehouse-remote': address, ...headers };
  return callApi(token && `Bearer ${token}`, method, path, { ...rest, headers: all });
}
