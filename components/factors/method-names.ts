import type { FactorMethod } from '#lib/protocol/factors/answers.ts';

/** How a second factor is called, and what it is. */
export const METHOD_NAMES: Record<FactorMethod, { title: string; text: string }> = {
  totp: { title: 'Authenticator app', text: 'Six digits that your phone makes' },
  email: { title: 'Codes by e-mail', text: 'Six digits in a mail to your address' },
};
