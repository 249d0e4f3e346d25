import { OutsideRefused } from '../open-outside.ts';

/** Why there is no answer, in words for who asked: no address of ours, nothing of what was sent. */
export class OutsideFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const TEXTS: Record<string, string> = {
  ENOTFOUND: 'no such host',
  ENODATA: 'no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EREFUSED: 'the name of the host could not be looked up',
  ESERVFAIL: 'the name of the host could not be looked up',
  ETIMEOUT: 'the name of the host could not be looked up',
  ECONNREFUSED: 'the host refused the connection',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the host did not take the connection in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are larger than 32 KiB',
  ERR_INVALID_URL: 'the address is no URL',
};

/** Whatever a request ended with. What is not known here is only that it failed: its text might tell of our networks. */
export function toOutsideFailed(error: unknown): OutsideFailed {
  if (error instanceof OutsideFailed) return error;
  if (error instanceof OutsideRefused)
    return new OutsideFailed('ADDRESS', 'this address is not asked: it must be https, in the open internet');
  const code = codeOf(error);
  if (Object.hasOwn(TEXTS, code)) return new OutsideFailed(code, TEXTS[code]!);
  if (code.startsWith('HPE_')) return new OutsideFailed(code, 'the answer is no HTTP');
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT'))
    return new OutsideFailed(code, 'the answer cannot be unpacked');
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return new OutsideFailed(code, 'no trusted TLS connection to the host could be made');
  return new OutsideFailed('FAILED', 'the connection was closed without an answer');
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : '';
}
