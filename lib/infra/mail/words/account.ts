import type { Template } from './template.ts';

/** To somebody about their account and how they sign in. */
export const ACCOUNT_MAILS = {
  verify: {
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    paragraphs: ['Somebody, hopefully you, registers here with this address. Confirm that it is yours, and go on.'],
    button: 'Confirm my address',
    footnote: 'The link works once, and for seven days. If it was not you, you can ignore this.',
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
  'erasure-failed': {
    subject: 'Your account was not erased',
    heading: 'Your account was not erased',
    paragraphs: [
      'It was to be erased by now, and something stands against it: {why}. Nothing of it was changed. When that is settled, it can be asked for again.',
    ],
    button: 'Open your account',
    footnote: 'Who asked for it does not matter: if it was not you, there is nothing to do.',
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
} as const satisfies Record<string, Template>;
