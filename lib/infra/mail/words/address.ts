import type { Template } from './template.ts';

/** Where the address or the factors of an account change. */
export const ADDRESS_MAILS = {
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
