import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import type { PasskeyRow } from '../webauthn/own-rows.ts';

/** As its person sees it. */
export function toPasskey({ id, name, createdAt, lastUsedAt, backedUp }: PasskeyRow): Passkey {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null, backedUp };
}
