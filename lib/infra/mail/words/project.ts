import type { Template } from './template.ts';

/** About projects, who is in them, and what runs there. */
export const PROJECT_MAILS = {
  invite: {
    subject: 'You are invited to {projectName}',
    heading: 'Join {projectName}',
    paragraphs: ['{inviterName} has invited you to {projectName}. {how}'],
    usual: { how: 'Choose a password to accept the invitation.' },
    button: 'Accept the invitation',
    footnote:
      'The link works once, and for seven days. If you did not expect this, you can ignore it: nothing happens until you press the button on the page.',
  },
  added: {
    subject: 'You have been added to {projectName}',
    heading: 'Welcome to {projectName}',
    paragraphs: ['{inviterName} has added you to {projectName}. {how}'],
    usual: { how: 'Sign in with the password that you already have.' },
    button: 'Sign in',
    footnote: 'If you did not expect this, contact the administrators of the project.',
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
  'bot-canary-reverted': {
    subject: 'Version {version} of the bot {botName} was taken back',
    heading: 'A new version failed more, and was taken back',
    paragraphs: [
      'Version {version} of {botName} in {projectName} was tried on {share} % of its runs. {failed} of {runs} failed; of the version that is live, {liveFailed} of {liveRuns}. All runs are on that one again.',
    ],
    button: 'Look at the bot',
    footnote: 'Its runs say why they failed. Nothing else was changed.',
  },
  'bot-trouble': {
    subject: '{botName} needs a look',
    heading: '{what}',
    paragraphs: ['The bot {botName} of {projectName}: {detail}. There is no other mail about this until it is over.'],
    button: 'Look at its runs',
    footnote: 'Administrators of the project say at the bot when they are told.',
  },
  'bot-well': {
    subject: '{botName} does well again',
    heading: '{what}',
    paragraphs: ['The bot {botName} of {projectName}: {detail}.'],
    button: 'Look at its runs',
    footnote: 'Administrators of the project say at the bot when they are told.',
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
  'access-requested': {
    subject: '{who} asks for access in {projectName}',
    heading: 'Somebody asks for access',
    paragraphs: ['{who}, a member of {projectName}, asks for this: {what}. Why, they say at the request.'],
    button: 'Look at the request',
    footnote: 'An administrator gives it for a time, or says why not. After thirty days without an answer it lapses.',
  },
  'access-granted': {
    subject: 'You have the access to {projectName} that you asked for',
    heading: 'You have what you asked for',
    paragraphs: ['You asked for this in {projectName}: {what}. An administrator gave it to you until {when}.'],
    button: 'Look at your requests',
    footnote: 'It ends by itself. If you need it for longer, ask again.',
  },
  'access-refused': {
    subject: 'Your request for access to {projectName} was refused',
    heading: 'You do not get what you asked for',
    paragraphs: [
      'You asked for this in {projectName}: {what}. An administrator did not give it. Why, they say at your request.',
    ],
    button: 'Look at your requests',
    footnote: 'What you could do before has not changed.',
  },
  'access-lapsed': {
    subject: 'Nobody answered your request for access to {projectName}',
    heading: 'Your request has lapsed',
    paragraphs: [
      'You asked for this in {projectName}: {what}. Nobody decided in thirty days, so the request is closed.',
    ],
    button: 'Look at your requests',
    footnote: 'If you need it still, ask again, or ask an administrator of the project yourself.',
  },
  'access-ended': {
    subject: 'Access to {projectName} that you had for a time has ended',
    heading: 'What was given to you has ended',
    paragraphs: ['You asked for this in {projectName}: {what}. It was given for a time, which is over.'],
    button: 'Look at your requests',
    footnote: 'If you need it for longer, ask again.',
  },
  'access-ended-told': {
    subject: 'Access that was given to {who} in {projectName} has ended',
    heading: 'Access given for a time has ended',
    paragraphs: [
      '{who} asked for this in {projectName}: {what}. It was given for a time, which is over. They were told, too.',
    ],
    button: 'Look at the request',
    footnote: 'There is nothing to do. If they need it for longer, they ask again.',
  },
  'viewed-as': {
    subject: 'An administrator looks at {projectName} with your eyes',
    heading: 'Somebody looks with your eyes',
    paragraphs: [
      '{who}, who administers {projectName}, looks at the project as you see it, until {when} at the latest. They see nothing that they may not see themselves, and change nothing. Why, they say on your Account page.',
    ],
    button: 'See who looked, and why',
    footnote: 'There is nothing to do. If you do not know why, ask the administrators of the project.',
  },
  'glass-broken': {
    subject: 'You have emergency access in {projectName}',
    heading: 'You have emergency access',
    paragraphs: [
      'Somebody signed in as you took emergency access in {projectName}. It ends by itself at {when}. What is done under it is noted, and another administrator reviews it.',
    ],
    button: 'Look at your emergency access',
    footnote: 'If this was not you, end it there, and change your password at once.',
  },
  'glass-broken-told': {
    subject: '{who} has emergency access in {projectName}',
    heading: 'Somebody broke the glass',
    paragraphs: [
      '{who}, a member of {projectName}, took emergency access until {when}. Why, they say at it. It waits for your review until one of the other administrators closes it.',
    ],
    button: 'Look at it',
    footnote: 'You can end it at once. Who had it does not review it.',
  },
  'access-review-asked': {
    subject: 'Review who may do what in {projectName}',
    heading: 'An access review was started',
    paragraphs: [
      'You are asked to look at the members of {projectName} in the review “{name}”, and to decide for each: keep, reduce or remove. It is due on {when}.',
    ],
    button: 'Look at the members',
    footnote: 'What is decided happens when an administrator closes the review. About yourself somebody else decides.',
  },
  'access-review-due': {
    subject: 'The access review “{name}” of {projectName} {when}',
    heading: 'An access review {when}',
    paragraphs: ['{left} left to decide about in the review “{name}” of {projectName}, which {when}.'],
    button: 'Go on with the review',
    footnote: 'Who is undecided when the review is closed keeps what they have.',
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
} as const satisfies Record<string, Template>;
