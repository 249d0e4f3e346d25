/**
 * A request of a client (RFC 6749 §4, RFC 7009, RFC 7662): `basic` are the credentials of the Authorization header, if it had any;
 * `secrets` is its secret as it was sent and, when that differs, decoded. `bearer`: the token of the header, where one is taken.
 */
export type TokenRequest = {
  form: URLSearchParams;
  basic: { clientId: string; secrets: string[] } | undefined;
  bearer?: string;
};
