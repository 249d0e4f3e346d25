export const PROOF_METHODS = ['passkey', 'password', 'totp', 'email'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** GET and POST /auth/proof. Instants. */
export type Proof = {
  /** When the caller last showed who they are at this session. */
  provenAt: string;
  /** For so long that is good for what is hard to take back. */
  goodUntil: string;
  /** By what they can do it again; none: by signing in anew. */
  methods: ProofMethod[];
};
