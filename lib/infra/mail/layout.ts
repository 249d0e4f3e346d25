import { Body, Button, Container, Head, Heading, Html, Preview, Text } from '@react-email/components';
import { render } from '@react-email/render';
import { createElement as h } from 'react';
import { CODE_NOTE, fill, TEMPLATES, type TemplateName } from './templates.ts';
import type { Template } from './words/template.ts';

export type RenderedMail = { subject: string; html: string; text: string };

const FONT = '-apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const STYLE = {
  body: { backgroundColor: '#f4f5f7', fontFamily: FONT, margin: 0, padding: '32px 12px' },
  card: {
    backgroundColor: '#ffffff',
    borderRadius: 12,
    padding: '32px 36px',
    maxWidth: 520,
    border: '1px solid #e3e6ea',
  },
  heading: { fontSize: 22, lineHeight: '30px', margin: '0 0 12px', color: '#12181f' },
  text: { fontSize: 15, lineHeight: '24px', margin: '0 0 20px', color: '#2b333c' },
  button: {
    backgroundColor: '#0f5c56',
    color: '#ffffff',
    borderRadius: 8,
    padding: '12px 20px',
    fontSize: 15,
    fontWeight: 600,
  },
  code: { fontSize: 24, lineHeight: '32px', letterSpacing: 6, fontWeight: 600, margin: '0 0 8px', color: '#12181f' },
  footnote: { fontSize: 13, lineHeight: '20px', margin: '24px 0 0', color: '#5b6673' },
};

/** HTML and text of a mail (react-email). createElement instead of JSX: Node runs this file as it is. */
export async function renderMail(name: TemplateName, params: Record<string, string>): Promise<RenderedMail> {
  const template: Template = TEMPLATES[name];
  const safe = { ...template.usual, ...quoteNames(params) };
  const say = (text: string) => fill(text, safe);
  const page = h(
    Html,
    { lang: 'en' },
    h(Head),
    h(Preview, null, say(template.heading)),
    h(
      Body,
      { style: STYLE.body },
      h(
        Container,
        { style: STYLE.card },
        h(Heading, { as: 'h1', style: STYLE.heading }, say(template.heading)),
        ...template.paragraphs.map((text) => h(Text, { key: text, style: STYLE.text }, say(text))),
        template.code && params.code ? h(Text, { style: STYLE.code }, params.code) : null,
        template.button && params.url ? h(Button, { href: params.url, style: STYLE.button }, template.button) : null,
        ...(params.code && params.url && !template.code ? codeBlock(params.code, params.url) : []),
        h(Text, { style: STYLE.footnote }, template.footnote),
      ),
    ),
  );
  const [html, text] = await Promise.all([render(page), render(page, { plainText: true })]);
  return { subject: say(template.subject), html, text };
}

const NAMES = ['projectName', 'inviterName'] as const;
/** What the mails say where there is no name. */
const OURS = ['a project', 'your project', 'An administrator'];
const MOST_OF_A_NAME = 60;

/**
 * What somebody has called themselves or their project is shown as a name and as nothing else: quoted, on one line and short, so that no
 * name reads like a sentence of ours, and without what a mail program would make a link of.
 */
function quoteNames(params: Record<string, string>): Record<string, string> {
  const names = NAMES.flatMap((name) =>
    params[name] === undefined || OURS.includes(params[name]) ? [] : [[name, quote(params[name])]],
  );
  return { ...params, ...Object.fromEntries(names) };
}

function quote(name: string): string {
  const line = name
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .replace(/[“”"]/g, '’');
  const short = line.length > MOST_OF_A_NAME ? `${line.slice(0, MOST_OF_A_NAME - 1).trimEnd()}…` : line;
  return `“${short.replace(/:\/\/|(?<=\S)[.@](?=\S)/g, (mark) => `${mark}\u2060`)}”`;
}

function codeBlock(code: string, url: string) {
  const codeUrl = new URL('/setpassword', url).href;
  return [
    h(Text, { key: 'note', style: { ...STYLE.footnote, margin: '24px 0 8px' } }, fill(CODE_NOTE, { codeUrl })),
    h(Text, { key: 'code', style: STYLE.code }, code),
  ];
}
