/**
 * What the mails say. Plain data, so that the words stand in one place; `layout.ts` gives them their look with react-email.
 * `{name}` is replaced by the parameter of that name.
 */
export type Template = {
  subject: string;
  heading: string;
  paragraphs: string[];
  button?: string;
  /** What it is about: a code that is typed into the page that asks for it, and belongs to no link. */
  code?: 'alone';
  /** Below the button. */
  footnote: string;
};

export const TEMPLATES = {
  invite: {
    subject: 'You are invited to {projectName}',
    heading: 'Join {projectName}',
    paragraphs: ['{inviterName} has invited you to {projectName}. Choose a password to accept the invitation.'],
    button: 'Accept the invitation',
    footnote:
      'The link works once, and for seven days. If you did not expect this, you can ignore it: nothing happens until you press the button on the page.',
  },
  verify: {
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    paragraphs: ['Somebody, hopefully you, registers here with this address. Confirm that it is yours, and go on.'],
    button: 'Confirm my address',
    footnote: 'The link works once, and for seven days. If it was not you, you can ignore this.',
  },
  added: {
    subject: 'You have been added to {projectName}',
    heading: 'Welcome to {projectName}',
    paragraphs: ['{inviterName} has added you to {projectName}. Sign in with the password that you already have.'],
    button: 'Sign in',
    footnote: 'If you did not expect this, contact the administrators of the project.',
  },
  reset: {
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password. Your old one works until you choose another.'],
    button: 'Choose a new password',
    footnote: 'The link works once, and for one hour. If it was not you, you can ignore this.',
  },
  'password-changed': {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: ['The password of your account was changed just now. All other sessions were ended.'],
    button: 'It was not me: choose a new password',
    footnote: 'If it was you, there is nothing to do.',
  },
  'factor-added': {
    subject: 'Two-step sign-in was added to your account',
    heading: 'Two-step sign-in was added',
    paragraphs: ['From now on, signing in to your account asks for a second step besides the password.'],
    button: 'It was not me: choose a new password',
    footnote: 'If it was you, there is nothing to do. Keep your recovery codes where you find them without your phone.',
  },
  'factor-removed': {
    subject: 'A second step was removed from your account',
    heading: 'A second step was removed',
    paragraphs: ['A method of two-step sign-in was removed from your account just now.'],
    button: 'It was not me: choose a new password',
    footnote: 'If it was you, there is nothing to do.',
  },
  'factor-reset': {
    subject: 'Your two-step sign-in was reset',
    heading: 'Your two-step sign-in was reset',
    paragraphs: [
      'An administrator reset two-step sign-in for your account, as for a phone that is lost. You can set it up again when you next sign in.',
    ],
    button: 'Choose a new password',
    footnote: 'If you did not ask for this, choose a new password and contact the administrators of the project.',
  },
  'factor-code': {
    subject: 'Your sign-in code',
    heading: 'Your sign-in code',
    paragraphs: ['Type this where you are asked for it. It works once, and for twenty minutes.'],
    code: 'alone',
    button: 'It was not me: choose a new password',
    footnote: 'Nobody of us ever asks you for it. If it was not you, somebody knows your password: choose a new one.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added',
    paragraphs: ['The passkey “{name}” was added to your account just now. Whoever has it can sign in as you.'],
    button: 'It was not me: take it out',
    footnote: 'If it was you, there is nothing to do. If not, take it out and choose a new password.',
  },
  'passkey-removed': {
    subject: 'A passkey was taken out of your account',
    heading: 'A passkey was taken out',
    paragraphs: ['The passkey “{name}” was taken out of your account just now. It no longer signs in.'],
    button: 'Look at my passkeys',
    footnote: 'If it was you, there is nothing to do. If not, choose a new password.',
  },
  'email-changed': {
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    paragraphs: [
      'An administrator gave your account in {projectName} another e-mail address. This one no longer signs in there, and links that were sent to it no longer work.',
    ],
    button: 'Go to the sign-in page',
    footnote: 'If you did not expect this, contact the administrators of the project.',
  },
  'email-confirm': {
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    paragraphs: [
      'An administrator made this the e-mail address of your account in {projectName}. Confirm that it is yours by choosing a new password; until then your old one goes on working.',
    ],
    button: 'Confirm and choose a password',
    footnote:
      'The link works once, and for one hour; after that, “Forgot password” on the sign-in page sends another. If this is not for you, you can ignore it.',
  },
  rescoped: {
    subject: 'Choose a new password for your account',
    heading: 'Choose a new password',
    paragraphs: [
      'An administrator of {projectName} changed where your account belongs. So that it is yours alone, your old password ended: choose a new one.',
    ],
    button: 'Choose a new password',
    footnote:
      'The link works once, and for one hour; after that, “Forgot password” on the sign-in page sends another. If you did not expect this, contact the administrators of the project.',
  },
} as const satisfies Record<string, Template>;

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
