import { expect, test } from 'vitest';
import { renderMail } from './layout.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';

const PARAMS = {
  url: 'http://localhost:3999/setpassword/1#s',
  clientName: 'Lab feed',
  projectName: 'Stone Clinic',
  inviterName: 'Ada',
  count: '2 memberships end',
  name: 'Blue phone',
  names: 'Blue phone, Key',
  left: '3 members are',
  proof: 'password',
  device: 'Chrome on Linux',
  address: '203.0.113.7',
  when: '23 November 2026, 03:10 UTC',
  date: '23 December 2026',
  rest: '',
  email: 'a…@example.com',
  from: 'Ada Reyes',
  to: 'Pia Okafor',
  into: 'b…@example.com',
  botName: 'Reminders',
  version: '7',
  share: '10',
  runs: '40',
  failed: '12',
  liveRuns: '360',
  liveFailed: '2',
  what: 'Reminders fails too often',
  detail: '12 of 40 runs failed',
  why: 'The project is owned by this account',
  who: 'Ben Okafor',
};

test('every mail has a subject, HTML and text without a hole', async () => {
  for (const name of Object.keys(TEMPLATES) as TemplateName[]) {
    const { subject, html, text } = await renderMail(name, PARAMS);
    for (const part of [subject, html, text]) {
      expect(part.length).toBeGreaterThan(10);
      expect(part).not.toMatch(/\{\w+\}|undefined/);
    }
    expect(html).toContain(`href="${PARAMS.url}"`);
    expect(text).toContain(PARAMS.url);
  }
});

test('a mail with a link has the code for who cannot open it, and where to type it', async () => {
  const { html, text } = await renderMail('invite', { ...PARAMS, code: '042137' });
  for (const part of [html, text]) {
    expect(part).toContain('042137');
    expect(part).toMatch(/http:..localhost:3999.setpassword\s|http:..localhost:3999.setpassword</);
  }
  expect((await renderMail('added', PARAMS)).text).not.toContain('code');
});

test('a name can make neither markup nor a header line nor another hole', async () => {
  const projectName = '<img src=x onerror=alert(1)>\r\nBcc: evil@example.com {url}';
  const { subject, html } = await renderMail('invite', { ...PARAMS, projectName });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(html).not.toContain('<img');
  expect(subject).toContain('{url}');
});

test('a name is quoted, short and no link, so that none reads like a sentence of ours', async () => {
  const projectName = 'Your account is locked. Visit https://evil.example/now or write to help@evil.example to keep it';
  const { subject, html, text } = await renderMail('added', { ...PARAMS, projectName, inviterName: '  "Ada"\u2028x ' });
  expect(subject).toMatch(/^You have been added to “Your account is locked\. Visit .{1,45}…”$/);
  for (const part of [subject, html, text]) expect(part).not.toMatch(/https:\/\/evil|evil\.example|help@evil/);
  expect(text).toContain('“’Ada’ x” has added you');
  const plain = await renderMail('added', { ...PARAMS, inviterName: 'An administrator' });
  expect([plain.subject, plain.text.includes('An administrator has added')]).toEqual([
    'You have been added to “Stone Clinic”',
    true,
  ]);
});

test('a mail that lacks a parameter does not leave', async () => {
  await expect(renderMail('invite', { url: PARAMS.url })).rejects.toThrow('lacks');
});
