import { expect, it } from 'vitest';
import { decodeHl7 } from './decode.ts';
import { Hl7Error } from './error.ts';

const header = (charset: string) => `MSH|^~\\&|A|B|C|D|2020||ADT^A01|1|P|2.5||||||${charset}\rPID|1||`;
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it('reads UTF-8 when nobody says otherwise, and keeps a byte order mark', () => {
  expect(decodeHl7(new TextEncoder().encode(`\uFEFF${header('')}Müller`))).toBe(`\uFEFF${header('')}Müller`);
});

it('follows MSH-18', () => {
  expect(decodeHl7(latin1(`${header('8859/1~UNICODE')}Müller`))).toContain('Müller');
});

it('lets the media type’s charset win', () => {
  expect(decodeHl7(new TextEncoder().encode(`${header('8859/1')}Müller`), 'utf-8')).toContain('Müller');
});

it('refuses an unknown character set and bytes that are not of it', () => {
  expect(() => decodeHl7(latin1(header('KLINGON')))).toThrow(Hl7Error);
  expect(() => decodeHl7(latin1(`${header('UNICODE UTF-8')}Müller`))).toThrow(Hl7Error);
});
