/** For so long a sign-in, or a proof after it, is good for what is hard to take back. */
export const PROOF_SECONDS = 10 * 60;

/** What the refusal calls it (RFC 9470 §3). */
export const UNPROVEN = 'insufficient_user_authentication';
