/**
 * What the mails say. Plain data, so that the words stand in one place; `layout.ts` gives them their look with react-email.
 * `{name}` is replaced by the parameter of that name.
 */
export type Template = {
  subject: string;
  heading: string;
  paragraphs: string[];
  button?: string;
  /** What it is about: a code that is typed into the page that asks for it, whatever the link does. */
  code?: 'alone';
  /** Below the button. */
  footnote: string;
  /** What is said where a parameter is not given. */
  usual?: Record<string, string>;
};

export const TEMPLATES = {
  invite: {
    subject: 'You are invited to {projectName}',
    heading: 'Join {projectName}',
    paragraphs: ['{inviterName} has invited you to {projectName}. {how}'],
    usual: { how: 'Choose a password to accept the invitation.' },
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
    paragraphs: ['{inviterName} has added you to {projectName}. {how}'],
    usual: { how: 'Sign in with the password that you already have.' },
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
  'new-device': {
    subject: 'A new browser in your account',
    heading: 'Was this you?',
    paragraphs: [
      'Your {proof} was just used in a browser that we had not seen with your account: {device}, from the address {address}, on {when}.{rest}',
    ],
    button: 'It was not me: choose a new password',
    footnote:
      'If it was you, there is nothing to do. A new password ends every session; who else is signed in, and with which passkeys, stands on your Account page.',
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
    paragraphs: ['Type this where you are asked for it. It works once, and for ten minutes.'],
    code: 'alone',
    button: 'It was not me: choose a new password',
    footnote: 'Nobody of us ever asks you for it. If it was not you, somebody knows your password: choose a new one.',
  },
  'sign-in-link': {
    subject: 'Sign in by mail',
    heading: 'Your sign-in code',
    paragraphs: [
      'Somebody, hopefully you, wants to sign in with this address. Type this code on the page that asks for it: it works once, and for ten minutes.',
    ],
    code: 'alone',
    button: 'Or sign in by this link',
    footnote: 'Nobody of us ever asks you for the code. If it was not you, you can ignore this.',
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
  'passkeys-reset': {
    subject: 'Your passkeys were taken out of your account',
    heading: 'Your passkeys were taken out',
    paragraphs: [
      'An administrator took all passkeys out of your account, as for a device that is lost: {names}. They no longer sign in; your password does, if you have one.',
    ],
    button: 'Choose a new password',
    footnote: 'If you did not ask for this, choose a new password and contact the administrators of the project.',
  },
  'account-secured': {
    subject: 'Your account was secured',
    heading: 'Choose a new password',
    paragraphs: [
      'An administrator of {projectName} secured your account, because somebody else may have been using it. Everybody was signed out, you too, and the password, two-step sign-in and passkeys that it had have ended. Choose a new password to come in again.',
    ],
    button: 'Choose a new password',
    footnote:
      'The link works once, and for one hour; after that, “Forgot password” on the sign-in page sends another. Then set up two-step sign-in or a passkey again.',
  },
  'owner-changed': {
    subject: '{projectName} has another owner',
    heading: '{projectName} has another owner',
    paragraphs: ['{projectName} was handed over by {from} to {to}, who owns it from now on.'],
    button: 'Look at the members',
    footnote:
      'Who owned it before goes on as an administrator. If this was not meant, contact the administrators of this server.',
  },
  'secret-ends': {
    subject: 'A secret of {clientName} ends {when}',
    heading: 'A secret ends {when}',
    paragraphs: [
      'The secret “{name}” of the client {clientName} in {projectName} ends {when}. A program that still signs in with it is refused from then on.',
    ],
    button: 'Look at the clients',
    footnote:
      'Make another one, give it to the program, and take out the old one. If nothing uses it, there is nothing to do.',
  },
  'membership-ends': {
    subject: 'Your access to {projectName} ends soon',
    heading: 'Your access ends soon',
    paragraphs: ['Your access to {projectName} ends {when}. After that you can no longer sign in there.'],
    button: 'Go to the project',
    footnote: 'If you need it for longer, ask the administrators of the project.',
  },
  'memberships-end': {
    subject: 'Memberships of {projectName} end soon',
    heading: '{count} within a week',
    paragraphs: ['In {projectName} the access of these people ends: {names}. They were told, too.'],
    button: 'Look at the members',
    footnote: 'If somebody should stay, change the end of their membership. Else there is nothing to do.',
  },
  'project-closed': {
    subject: '{projectName} was closed',
    heading: '{projectName} was closed',
    paragraphs: [
      'You closed {projectName}. Nobody can sign in, every session and token has ended, and its programs and bots are refused. All of its data is kept.',
    ],
    button: 'Open it again',
    footnote:
      'The link works once, and for thirty days; after that, whoever runs this server can open the project. If you did not close it, open it again and choose a new password.',
  },
  'project-removal': {
    subject: '{projectName} is removed on {date}',
    heading: '{projectName} is removed on {date}',
    paragraphs: [
      '{projectName} is closed: nobody can sign in, and its programs and bots are refused. On {date} all of its data is removed for good, with its members and its bots, and nobody can bring it back.',
      'Whoever needs its data opens the project again before that, and exports it.',
    ],
    button: 'Open it again',
    footnote:
      'The link works once. Opened again, the project is not removed. If you did not ask for this, open it again and choose a new password.',
  },
  'project-removal-told': {
    subject: '{projectName} is removed on {date}',
    heading: '{projectName} is removed on {date}',
    paragraphs: [
      'The project {projectName}, which you administer, is closed. On {date} all of its data is removed for good, with its members and its bots, and nobody can bring it back.',
    ],
    button: 'Go to the sign-in page',
    footnote:
      'Its owner, or whoever runs this server, can open it again before that. If it is still needed, ask them. With your account you go on in your other projects.',
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
  'own-address-waits': {
    subject: 'Your account is to have another e-mail address',
    heading: 'Is this you?',
    paragraphs: [
      'Somebody who signed in as you, with a second step or a passkey, asked that your account be entered with another address from now on: {email}. It happens on {when} at the earliest, and not if you stop it.',
    ],
    button: 'This was not me: stop it',
    footnote:
      'If it was you, there is nothing to do. If not, stop it, which also ends every session of your account, and then choose a new password.',
  },
  'address-waits': {
    subject: 'Your account is to have another e-mail address',
    heading: 'Did you ask for this?',
    paragraphs: [
      'An administrator of {projectName} is giving your account there another address to sign in with: {email}. It happens on {when} at the earliest, and not if you stop it.',
    ],
    button: 'I did not ask for this: stop it',
    footnote:
      'If you asked for it, there is nothing to do. If not, stop it, and tell the administrators of the project: somebody may have pretended to be you.',
  },
  'factors-wait': {
    subject: 'What you sign in with is to be reset',
    heading: 'Did you ask for this?',
    paragraphs: [
      'An administrator of {projectName} is taking a second step or the passkeys out of your account, as for a phone that is lost. It happens on {when} at the earliest, and not if you stop it.',
    ],
    button: 'I did not ask for this: stop it',
    footnote:
      'If you asked for it, there is nothing to do. If not, stop it, and tell the administrators of the project: somebody may have pretended to be you.',
  },
  'own-erasure-waits': {
    subject: 'Your account is to be erased',
    heading: 'Is this you?',
    paragraphs: [
      'Somebody who signed in as you asked that your account be erased, with its memberships in all projects. It happens on {when} at the earliest, cannot be taken back then, and does not happen if you stop it.',
    ],
    button: 'Stop it',
    footnote:
      'If it was you, there is nothing to do. If not, stop it, which also ends every session of your account, and then choose a new password.',
  },
  'erasure-waits': {
    subject: 'Your account is to be erased',
    heading: 'Did you ask for this?',
    paragraphs: [
      'An administrator of {projectName} is erasing your account there. It happens on {when} at the earliest, cannot be taken back then, and does not happen if you stop it.',
    ],
    button: 'I did not ask for this: stop it',
    footnote:
      'If you asked for it, there is nothing to do. If not, stop it, and talk to the administrators of the project.',
  },
  'address-confirm': {
    subject: 'Confirm your new e-mail address',
    heading: 'Confirm your new e-mail address',
    paragraphs: [
      'Somebody, hopefully you, asked to sign in with this address instead of an older one. Confirm that it is yours; the change is made on {when} at the earliest.',
    ],
    button: 'Confirm my address',
    footnote: 'The link works until a week after that. If it was not you, you can ignore this.',
  },
  'address-taken': {
    subject: 'Your e-mail address has an account already',
    heading: 'You have an account already',
    paragraphs: [
      'Somebody, hopefully you, asked to sign in to another account with this address. It has an account of its own already, so that nothing was changed.',
    ],
    button: 'Go to the sign-in page',
    footnote: 'If it was not you, you can ignore this.',
  },
  'own-address-changed': {
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    paragraphs: [
      'Your account is entered with its new address from now on. The old one no longer signs in, and every session of the account has ended.',
    ],
    button: 'Go to the sign-in page',
    footnote: 'If this was not you, contact the administrators of your project, or whoever runs this server.',
  },
  'account-merged': {
    subject: 'Two accounts of yours were made one',
    heading: 'Two accounts of yours were made one',
    paragraphs: [
      'Somebody who signed in to both, each with a second step, merged the account of {from} into the account of {into}. What it was a member of is now entered with {into}; {from} no longer signs in, and every session and key of it has ended.',
    ],
    button: 'Go to the sign-in page',
    footnote: 'If this was not you, contact the administrators of your projects, or whoever runs this server, at once.',
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
