/**
 * A token request (RFC 6749 §4): `basic` are the credentials of the Authorization header, if it had any; `secrets` is its secret as it
 * was sent and, when that differs, decoded.
 */
export type TokenRequest = {
  form: URLSearchParams;
  basic: { clientId: string; secrets: string[] } | undefined;
};
