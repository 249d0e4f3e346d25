import { ACCOUNT_MAILS } from './words/account.ts';
import { ADDRESS_MAILS } from './words/address.ts';
import { PROJECT_MAILS } from './words/project.ts';

export const TEMPLATES = { ...ACCOUNT_MAILS, ...ADDRESS_MAILS, ...PROJECT_MAILS } as const;

/** Below the button of a mail that holds a link, for who cannot open it. */
export const CODE_NOTE = 'If the button does not work, type this code where you are asked for it, or at {codeUrl}';

export type TemplateName = keyof typeof TEMPLATES;

/** Throws when a parameter is missing: a mail with a hole must not leave. */
export function fill(text: string, params: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The mail lacks ${name}`);
    return value;
  });
}
