import { expect, test } from 'vitest';
import { decodeHl7 } from './decode.ts';
import { encodeHl7 } from './encode.ts';

const message = (charset: string, name: string) =>
  `MSH|^~\\&|A|B|C|D|2020||ADT^A01|1|P|2.5||||||${charset}\rPID|1||1||${name}\r`;

test.each(['8859/1', '8859/2', '8859/4', '8859/5', '8859/9', '8859/15'])(
  '%s: every byte comes back as it was',
  (charset) => {
    const head = message(charset, '');
    const all = Uint8Array.from({ length: 128 }, (_, at) => 128 + at);
    const bytes = Buffer.concat([Buffer.from(head, 'latin1'), all]);
    expect(Buffer.from(encodeHl7(decodeHl7(bytes)).bytes).equals(bytes)).toBe(true);
  },
);

test.each([
  ['8859/1', 'iso-8859-1', 'Müller, 10 €'],
  ['8859/2', 'iso-8859-2', 'Łódź'],
  ['8859/5', 'iso-8859-5', 'Москва'],
  ['8859/7', 'iso-8859-7', 'Αθήνα'],
  ['8859/9', 'iso-8859-9', 'İstanbul'],
  ['8859/15', 'iso-8859-15', '10 €'],
  ['GB 18030-2000', 'gb18030', '北京 € ǹ 😀'],
  ['BIG-5', 'big5', '臺北'],
  ['KS X 1001', 'euc-kr', '서울'],
])('an answer goes out in %s when its MSH-18 says so', (charset, label, name) => {
  const text = message(charset, name);
  const encoded = encodeHl7(text);
  expect(encoded.charset).toBe(label);
  expect(new TextDecoder(label, { fatal: true }).decode(encoded.bytes)).toBe(text);
});

test.each([
  ['8859/1', 'Москва'],
  ['8859/15', '😀'],
  ['8859/2~UNICODE', '北京'],
  ['ISO IR87', '東京'],
  ['UNICODE UTF-16', 'Zoë'],
  ['KLINGON', 'x'],
])('MSH-18 says what the bytes are when %s cannot hold or write them', (charset, name) => {
  const { bytes, charset: label } = encodeHl7(message(charset, name));
  expect([label, new TextDecoder().decode(bytes)]).toEqual(['utf-8', message('UNICODE UTF-8', name)]);
});

test.each(['', 'UNICODE UTF-8', 'ASCII'])('%s: UTF-8, and MSH-18 stays', (charset) => {
  const text = message(charset, '北京');
  expect(new TextDecoder().decode(encodeHl7(text).bytes)).toBe(text);
  expect(new TextDecoder().decode(encodeHl7('no message').bytes)).toBe('no message');
});

test('what is no message is UTF-8 as it is, whatever message it tells of', () => {
  const json = JSON.stringify({
    text: 'MSH|^~\\&|A|B|||2024||ADT^A01|1|P|2.5\rPID|1||Mueller|1|2|3|4|5|6|8859/1',
    name: 'Müller',
  });
  const { bytes, charset } = encodeHl7(json);
  expect([new TextDecoder().decode(bytes), charset]).toEqual([json, 'utf-8']);
});
