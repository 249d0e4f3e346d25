import { runInThisContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOT_TEMPLATES } from '../../../../lib/client/bots/templates.ts';
import { readBotTypes } from '../../../../lib/infra/bot-types/read-bot-types.ts';
import { type Language, makeLanguage } from './make-language.ts';
import { bringTypeScript } from './typescript.ts';

let language: Language;
beforeAll(async () => {
  const { '/typescript.js': script, ...types } = JSON.parse(gunzipSync(await readBotTypes()).toString('utf8'));
  bringTypeScript(runInThisContext(`${script};ts`));
  language = makeLanguage(types);
});

/** `|` is where it is asked. */
function at(marked: string): [text: string, place: number] {
  const place = marked.indexOf('|');
  return [marked.slice(0, place) + marked.slice(place + 1), place];
}
function offers(marked: string, file = 'index.ts'): string[] {
  const [text, place] = at(marked);
  const found = language.ask(file, text, { kind: 'complete', at: place });
  return found?.candidates.map(({ label }) => label) ?? [];
}
function problems(text: string, file = 'index.ts'): string[] {
  return language
    .ask(file, text, { kind: 'check' })
    .map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`);
}

const HANDLER = `import type { BotEvent, MedplumClient } from '@medplum/core';
import type { Patient } from '@medplum/fhirtypes';
export async function handler(medplum: MedplumClient, event: BotEvent<Patient>) {
`;

describe('what is offered', () => {
  test('the members of the client, of the input and of FHIR types', () => {
    expect(offers(`${HANDLER} medplum.|`)).toEqual(
      expect.arrayContaining(['searchResources', 'createPdf', 'executeBot']),
    );
    expect(offers(`${HANDLER} event.input.|`)).toEqual(expect.arrayContaining(['birthDate', 'managingOrganization']));
    expect(offers(`${HANDLER} const p = event.input; p.name?.[0]?.|`)).toContain('family');
  });

  test('a handler without types gets what it is given', () => {
    expect(offers('export async function handler(medplum, event) { medplum.| }')).toContain('searchResources');
    language.sync([], ['index.ts']);
    expect(offers('exports.handler = async function (medplum, event) { event.| }', 'index.js')).toContain(
      'contentType',
    );
    expect(offers('export const handler = async (medplum, { input }) => { medplum.| }')).toContain('readResource');
  });

  test('types of resources as the texts that a call takes', () => {
    expect(offers(`${HANDLER} await medplum.searchResources('|') }`)).toContain('Patient');
  });

  test('what may be missing is reached by ?., in the place of the dot', () => {
    const [text, place] = at(`${HANDLER} const pat = event.input; pat.name.|`);
    const found = language.ask('index.ts', text, { kind: 'complete', at: place });
    const map = found?.candidates.find(({ label }) => label === 'map');
    expect(map?.insert).toEqual({ text: '?.map', from: place - 1, to: place });
  });
});

describe('what is wrong', () => {
  test('nothing, in a bot that is right, with or without types', () => {
    expect(problems(`${HANDLER} return medplum.createResource({ ...event.input, active: true }); }`)).toEqual([]);
    expect(problems('export async function handler(medplum, event) { return event.input.whatever[0]; }')).toEqual([]);
  });

  test.each(BOT_TEMPLATES)('nothing, in the template $name', ({ code }) => expect(problems(code)).toEqual([]));

  test('a member that there is not, at its place, also behind what was inserted for the service', () => {
    expect(problems('export async function handler(medplum, event) { medplum.nothing(); }')).toEqual([
      "nothing: Property 'nothing' does not exist on type 'MedplumClient'.",
    ]);
    expect(problems(`${HANDLER} event.input.birthdate; }`)).toEqual([
      expect.stringContaining(
        "birthdate: Property 'birthdate' does not exist on type 'Patient'. Did you mean 'birthDate'",
      ),
    ]);
  });

  test('a text that does not parse', () => {
    expect(problems('let x = ;')).toEqual([expect.stringContaining('Expression expected')]);
  });
});

describe('what a bot finds of the Web and of Node', () => {
  test('fetch, Buffer, crypto and Node modules are known', () => {
    const text = `import { createHmac, randomUUID } from 'node:crypto';
import { gzipSync } from 'zlib';
import fetchIt from 'node-fetch';
export async function handler(medplum, event) {
  const answer = await fetch('https://lab.example', { headers: new Headers(), signal: AbortSignal.timeout(5) });
  const other: Response = await fetchIt('https://lab.example');
  const key = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('x'));
  console.log(Buffer.from('a').toString('base64'), key.byteLength, answer.status, other.ok, setTimeout(() => {}, 1));
  return createHmac('sha256', 'k').update(gzipSync(Buffer.from('b'))).digest('hex') + randomUUID();
}`;
    expect(problems(text)).toEqual([]);
  });

  test('what it has not is unknown', () => {
    expect(problems("new WebSocket('wss://a'); importScripts('a'); document.title;")).toHaveLength(3);
    expect(problems("import fs from 'fs'; import { connect } from 'node:net'; fs; connect;")).toHaveLength(2);
  });
});

test('what stands under the pointer is explained', () => {
  const [text, place] = at(
    'export async function handler(medplum, event) { return medplum.readRes|ource("Patient", "1"); }',
  );
  const found = language.ask('index.ts', text, { kind: 'explain', at: place });
  expect(found?.signature).toContain('MedplumClient.readResource');
  expect(found?.text).toContain('Reads a resource by resource type and ID');
  expect(text.slice(found?.from, found?.to)).toBe('readResource');
});

describe('a bot of several files', () => {
  const INDEX = `import { twice } from './lib/twice';
import { unit } from './units.json';
import { third } from './third.js';
export async function handler(medplum, event) { return twice(event.input.n) + unit + third(1); }`;
  const others = [
    { filename: 'lib/twice.ts', content: 'export const twice = (n: number): number => 2 * n;' },
    { filename: 'units.json', content: '{ "unit": "kg" }' },
    { filename: 'third.js', content: 'const log = 1;\nexports.third = (n) => n / 3;' },
    { filename: 'node_modules/x/index.js', content: 'module.exports = () => 1;' },
  ];
  const survey = (text: string) => language.ask('index.ts', text, { kind: 'survey' });

  beforeAll(() => language.sync(others, ['index.js']));
  afterAll(() => language.sync([], ['index.ts', ...others.map(({ filename }) => filename)]));

  test('imports between them are known, of JSON, CommonJS and packages as well', () => {
    expect(problems(INDEX)).toEqual([]);
    expect(problems(`${INDEX}\nimport x from 'x';\nconst log = x();`)).toEqual([]);
    expect(offers(`${INDEX}\nconst other = twice(1); other.|`)).toContain('toFixed');
    expect(problems(INDEX.replace('event.input.n', "'a'"))).toEqual([expect.stringContaining("'a': Argument of type")]);
  });

  test('what is there is offered as a name of an import', () => {
    expect(offers("import { twice } from './|';")).toEqual(expect.arrayContaining(['lib', 'third', 'units.json']));
    expect(offers("import { twice } from './lib/|';")).toEqual(['twice']);
  });

  test('an import that leads nowhere is wrong at its place, until the file is there', () => {
    language.sync([{ ...others[0]!, filename: 'lib/two.ts' }], ['lib/twice.ts']);
    expect(problems(INDEX)).toEqual([expect.stringContaining("'./lib/twice': Cannot find module './lib/twice'")]);
    expect(survey(INDEX)).toEqual({ 'index.ts': 1, 'lib/two.ts': 0, 'third.js': 0 });
    language.sync([others[0]!], ['lib/two.ts']);
    expect(problems(INDEX)).toEqual([]);
    language.sync([{ ...others[0]!, content: 'export const thrice = 3;' }], []);
    expect(problems(INDEX)).toEqual([expect.stringContaining("has no exported member 'twice'")]);
    language.sync([others[0]!], []);
  });

  test('a file of JavaScript gives way to one of TypeScript with its name, whichever came first', () => {
    language.sync([{ filename: 'pair.js', content: 'export const a = 1;' }], []);
    language.sync([{ filename: 'pair.ts', content: 'export const b = 1;' }], []);
    expect(problems("import { b } from './pair'; b;")).toEqual([]);
    language.sync([], ['pair.js', 'pair.ts']);
  });
});
