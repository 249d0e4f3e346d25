export type Pkce = { codeVerifier: string; codeChallenge: string; codeChallengeMethod: 'S256' | 'plain' };

/** A fresh verifier and its challenge (RFC 7636 §4). Kept in memory only, for the length of one sign-in. */
export async function makePkce(): Promise<Pkce> {
  const codeVerifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  // Browsers keep crypto.subtle from pages served over plain http (other than localhost).
  if (!globalThis.crypto.subtle) return { codeVerifier, codeChallenge: codeVerifier, codeChallengeMethod: 'plain' };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return { codeVerifier, codeChallenge: toBase64Url(new Uint8Array(digest)), codeChallengeMethod: 'S256' };
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
