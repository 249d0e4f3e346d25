/** What may be proven beside the password (contract §3, User.mfaMethod): a code of an authenticator app, or one that is mailed. */
export const FACTOR_METHODS = ['totp', 'email'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** What may be had beside a password, the strongest first: a passkey needs none. */
export const HELD_FACTORS = ['passkey', ...FACTOR_METHODS] as const;
export type HeldFactor = (typeof HELD_FACTORS)[number];

/** What a list of members may be asked for: who has nothing, something, or a passkey. */
export const FACTOR_FILTERS = ['none', 'any', 'passkey'] as const;

/** What an authenticator app is given: the address that it reads (otpauth:), and the same as a picture to point a camera at. */
export type Enrolment = { enrollUri: string; enrollQrCode: string };

/** GET /auth/mfa/status. The enrolment is there while there is no authenticator. */
export type FactorStatus = Partial<Enrolment> & {
  enrolled: boolean;
  enrolledMethods: FactorMethod[];
  allowedMethods: FactorMethod[];
  email?: string;
  /** Each is good once. */
  recoveryCodesLeft: number;
};

/** POST /auth/mfa/recovery-codes: told this once. */
export type RecoveryCodes = { recoveryCodes: string[] };

/** Why a sign-in has no code yet (contract §1.5): a factor is to be proven, or one is to be enrolled. `passkey`: by signing in with that instead. */
export type FactorDemand =
  | { mfaRequired: true; mfaMethods: (FactorMethod | 'passkey')[]; email?: string }
  | ({ mfaEnrollRequired: true; allowedMfaMethods: FactorMethod[]; email?: string } & Partial<Enrolment>);
