import type { CorpusBot } from './corpus-bot.ts';

/** What no bot of ours can be: each is told at its deploy what it lacks, by name, with file and line. */
export const REFUSED: CorpusBot[] = [
  {
    name: 'files are fetched by SFTP',
    code: `
import Client from 'ssh2-sftp-client';
export async function handler() { const sftp = new Client(); await sftp.connect({ host: 'sftp.example' }); return sftp.list('/'); }`,
    refused:
      'index.ts:2:20: Cannot import "ssh2-sftp-client": it opens sockets, and a bot has none; it calls others by fetch',
  },
  {
    name: 'texts are sent by the package of twilio, which did not come along',
    code: `
import twilio from 'twilio';
export const handler = async () => twilio('sid', 'token').messages.create({ to: '+1', from: '+2', body: 'x' });`,
    files: { 'package.json': '{ "dependencies": { "twilio": "5" } }' },
    refused: 'index.ts:2:20: Cannot import "twilio": it is not among the files of the bot; no package is fetched',
  },
  {
    name: 'a file of the machine is read',
    code: `import { readFileSync } from 'node:fs';\nexport const handler = async () => readFileSync('/etc/hosts', 'utf8');`,
    refused: 'Cannot import "node:fs": a bot has no files, sockets and processes of its own',
  },
];
