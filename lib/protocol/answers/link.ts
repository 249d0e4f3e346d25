import type { Way } from '../sign-in/ways.ts';

export type LinkKind = 'invite' | 'reset' | 'verify-email' | 'reopen';
export type LinkState = 'open' | 'used' | 'expired';

/** POST /auth/link: what a mailed link stands for. Reading it spends nothing. */
export type LinkInfo = {
  type: LinkKind;
  state: LinkState;
  /** A newer link took its place; `used`: and was used. */
  replaced?: true;
  expiresAt: string;
  email?: string;
  name?: string;
  hasPassword?: boolean;
  project?: { id: string; name: string };
  invitedBy?: string;
  profileType?: string;
  admin?: boolean;
  /** Of an invitation: by which ways its membership is entered. */
  ways?: Way[];
};

/** A link without its address. */
export type LinkSecret = { id: string; secret: string };

/** POST /auth/link/code: the link that the code stands for. */
export type RedeemedLink = LinkSecret & { type: LinkKind };
