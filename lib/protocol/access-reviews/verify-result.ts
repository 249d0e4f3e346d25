import type { PublicKey } from '../audit/verify-chain.ts';
import { RESULT_TYPE, type ResultHead } from './result.ts';

export type ResultReport = { holds: true; head: ResultHead } | { holds: false; text: string };

/**
 * Whether a result is as it was signed. `keys`: those of `/.well-known/audit-keys.json`, which stay there when they sign nothing any more.
 * For server, browser and script; a result that cannot be read does not hold.
 */
export async function verifyResult(text: string, keys: readonly PublicKey[]): Promise<ResultReport> {
  try {
    const end = text.indexOf('\n');
    const { jws } = JSON.parse(text.slice(0, end)) as { jws: string };
    const [head = '', payload = '', signature = '', ...more] = jws.split('.');
    const { alg, kid, typ } = JSON.parse(textOf(head)) as { alg?: string; kid?: string; typ?: string };
    if (more.length > 0 || alg !== 'ES256' || typ !== RESULT_TYPE) return no('This is no result of an access review');
    const jwk = keys.find((key) => key.kid === kid);
    if (!jwk) return no('Its key is not among the keys of this server');
    const { kty, crv, x, y } = jwk;
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${payload}`);
    const hash = { ...algorithm, hash: 'SHA-256' };
    if (!(await crypto.subtle.verify(hash, key, bytesOf(signature), signed))) return no('Its signature is wrong');
    const said = JSON.parse(textOf(payload)) as ResultHead;
    const isWhole = (await sha256(text.slice(end + 1))) === said.sha256;
    return isWhole ? { holds: true, head: said } : no('Its lines are not those that were signed');
  } catch {
    return no('This cannot be read as the result of an access review');
  }
}

function no(text: string): ResultReport {
  return { holds: false, text };
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function textOf(text: string): string {
  return new TextDecoder().decode(bytesOf(text));
}
