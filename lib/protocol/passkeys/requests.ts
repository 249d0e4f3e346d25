import { z } from 'zod';
import { loginRequest } from '../requests/auth.ts';
import { plainName } from '../requests/plain-name.ts';

/** Bytes as browsers write them (WebAuthn Level 3 §5.1, toJSON). */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+={0,2}$/, 'must be base64url');

/** A credential's id has 1023 bytes at most (§4). */
const credential = {
  id: bytes(1364),
  rawId: bytes(1364),
  type: z.literal('public-key'),
  // Nothing is asked of extensions.
  clientExtensionResults: z.unknown().transform(() => ({})),
};

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(65_536),
    // What is not known yet cannot be used as a hint later.
    transports: z
      .array(z.string().max(32))
      .max(16)
      .transform((all) => TRANSPORTS.filter((one) => all.includes(one)))
      .optional(),
  }),
});

export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(16_384),
    userHandle: bytes(88),
  }),
});

const passkeyName = plainName('A name is required', 64);

export const offerPasskeyRequest = z.object({
  /** Typed again, where the session is not new. */
  password: loginRequest.shape.password.optional(),
});

export const addPasskeyRequest = z.object({ response: attestation, name: passkeyName.optional() });
export type AddPasskeyRequest = z.output<typeof addPasskeyRequest>;

export const renamePasskeyRequest = z.object({ name: passkeyName });

/** What a sign-in asks for besides, as POST /auth/login has it (contract §1.5). */
export const passkeyLoginRequest = loginRequest.omit({ email: true, password: true }).extend({ response: assertion });
export type PasskeyLoginRequest = z.output<typeof passkeyLoginRequest>;
