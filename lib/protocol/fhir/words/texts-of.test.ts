import { expect, test } from 'vitest';
import type { Resource } from '../types.ts';
import { narrativeText } from './narrative-text.ts';
import { narrativeOf, textsOf } from './texts-of.ts';
import { wordsOf } from './words-of.ts';

const read = (div: string) => wordsOf(narrativeText(div)).join(' ');

test('a narrative is what people read of it: no tags, attributes and comments, and its entities are characters', () => {
  expect(read('<div xmlns="http://www.w3.org/1999/xhtml"><p>Bone</p><p>liver</p></div>')).toBe('bone liver');
  expect(read('<div><b>meta</b>stases<br/>none <!-- secret <p> --> here</div>')).toBe('metastases none here');
  expect(
    read('<div title="a > b" class=\'x>y\'>K&ouml;rper &#233;t&#xe9; a&nbsp;b &lt;tag&gt; &Sigma;&unknown;x</div>'),
  ).toBe('korper ete a b tag σ x');
  expect(read('<div>a &#0; &#xD800; &#9999999; b</div>')).toBe('a b');
});

test.each([
  '<'.repeat(200_000),
  '<a "'.repeat(100_000),
  '<!--'.repeat(100_000),
  '<div>'.repeat(100_000),
  '&'.repeat(500_000),
])('what is no XHTML is read in one pass: %#', (text) => {
  expect(narrativeText(text).length).toBeLessThanOrEqual(text.length);
});

test('of a resource count strings, markdown, codes and narratives, also within others; no ids, addresses, dates and bytes', () => {
  const resource = {
    resourceType: 'DocumentReference',
    id: 'hidden0',
    meta: { tag: [{ display: 'hidden1' }], source: 'hidden2' },
    text: { status: 'generated', div: '<div>narrated</div>' },
    language: 'de',
    status: 'current',
    date: '2026-01-01T00:00:00Z',
    subject: { reference: 'Patient/hidden3', display: 'Ann' },
    identifier: [{ system: 'urn:hidden4', value: 'MRN7' }],
    _description: { extension: [{ url: 'hidden5', valueMarkdown: 'beside' }] },
    extension: [{ url: 'hidden6', valueString: 'extended', id: 'hidden7' }],
    contained: [
      { resourceType: 'Patient', id: 'hidden8', name: [{ family: 'Contained' }], text: { div: '<p>inside</p>' } },
    ],
    content: [{ attachment: { data: 'aGlkZGVu', url: 'http://hidden', title: 'Letter', contentType: 'text/plain' } }],
    unknown: 'hidden9',
    type: { coding: [{ system: 'http://loinc.org', code: '34133-9', display: 'Summary' }], text: 'Note' },
  } as unknown as Resource;
  const found = textsOf(resource).map((text) => text.trim());
  const clinical = ['34133-9', 'Summary', 'Note', 'Ann', 'MRN7', 'Contained', 'Letter'];
  const others = ['narrated', 'inside', 'beside', 'extended', 'current', 'de', 'text/plain'];
  expect(found.toSorted()).toEqual([...clinical, ...others].toSorted());
  expect(narrativeOf(resource)).toBe(' narrated ');
});
