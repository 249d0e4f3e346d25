import { ApiError } from '../api/api-error.ts';

/** Whether the browser has passkeys at all. Only where the page came by https, or from this machine. */
export function knowsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function';
}

/**
 * What to say when making or using a passkey came to nothing. Nothing at all when the person turned away, or the time was over: browsers do
 * not tell these apart (WebAuthn Level 3 §14.5.1), and the person knows.
 */
export function toPasskeyProblem(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.message;
  const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey for your account already.';
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') {
    return 'Passkeys work only at the address that this server is known by.';
  }
  if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') {
    return 'This device cannot ask who is there. Set up a screen lock or a PIN for it.';
  }
  if (name === 'NotAllowedError' || name === 'AbortError') return undefined;
  return 'The passkey could not be used. Try again, or another one.';
}
