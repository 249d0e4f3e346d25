import type { CorpusBot } from './corpus-bot.ts';

/** Bots that send forms to other servers. */
export const FORMS: CorpusBot[] = [
  {
    name: 'a form with a file, by form-data and its headers',
    code: `
      import FormData from 'form-data';
      export async function handler() {
        const form = new FormData();
        form.append('kind', 'report');
        form.append('file', Buffer.from('%PDF'), { filename: 'r.pdf', contentType: 'application/pdf' });
        const response = await fetch('{{server}}/up', { method: 'POST', body: form.getBuffer(), headers: form.getHeaders() });
        const { headers, body } = await response.json();
        return [headers['content-type'].endsWith(form.getBoundary()), body.includes('name="kind"\\r\\n\\r\\nreport'), body.includes('filename="r.pdf"\\r\\nContent-Type: application/pdf\\r\\n\\r\\n%PDF')];
      }`,
    answer: [true, true, true],
  },
  {
    name: 'form-data is a body by itself',
    code: `
      const FormData = require('form-data');
      exports.handler = async () => {
        const form = new FormData();
        form.append('a', 1);
        const response = await fetch('{{server}}/up', { method: 'POST', body: form, headers: form.getHeaders({ 'x-a': 'b' }), duplex: 'half' });
        const { headers, body } = await response.json();
        return [headers['x-a'], body.includes('name="a"\\r\\n\\r\\n1')];
      };`,
    answer: ['b', true],
  },
  {
    name: 'form-data says its type by itself',
    code: `
      import fetch from 'node-fetch';
      import FormData from 'form-data';
      export async function handler() {
        const form = new FormData();
        form.append('a', 1);
        const response = await fetch('{{server}}/up', { method: 'POST', body: form });
        const { headers, body } = await response.json();
        return [headers['content-type'] === 'multipart/form-data; boundary=' + form.getBoundary(), body.includes('name="a"\\r\\n\\r\\n1')];
      }`,
    answer: [true, true],
  },
  {
    name: 'form-data knows types by the names of files',
    code: `
      import FormData from 'form-data';
      import { Readable } from 'stream';
      export async function handler() {
        const form = new FormData();
        form.append('a', Buffer.from('1'), 'c:/scans/a b.pdf');
        form.append('b', '{}', { filename: 'b.json' });
        form.append('c', 'text', 'no-type');
        form.append('d', Buffer.from('2'), { filepath: 'in/../lab/d.xlsx' });
        form.append('e', Object.assign(Readable.from([Buffer.from('3')]), { path: '/tmp/e.hl7.txt' }));
        form.append('f', Buffer.from('4'), { header: { 'Content-ID': '<f>' } });
        form.append('g', 'h', { contentType: 'text/html\\r\\nx: y' });
        form.setBoundary('zz');
        const response = await fetch('{{server}}/up', { method: 'POST', body: form, headers: form.getHeaders(), duplex: 'half' });
        return (await response.json()).body.split('zz').slice(1, -1).map((part) => part.split('\\r\\n\\r\\n')[0].split('\\r\\n').slice(1).map((line) => line.replace('Content-Disposition: form-data; ', '')));
      }`,
    answer: [
      ['name="a"; filename="a b.pdf"', 'Content-Type: application/pdf'],
      ['name="b"; filename="b.json"', 'Content-Type: application/json'],
      ['name="c"; filename="no-type"'],
      [
        'name="d"; filename="lab/d.xlsx"',
        'Content-Type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ],
      ['name="e"; filename="e.hl7.txt"', 'Content-Type: text/plain'],
      ['name="f"', 'Content-Type: application/octet-stream', 'Content-ID: <f>'],
      ['name="g"', 'Content-Type: text/html  x: y'],
    ],
  },
  {
    name: 'a form with a file, by the Web’s own',
    code: `
      export async function handler() {
        const form = new FormData();
        form.append('file', new Blob(['x'], { type: 'text/csv' }), 'a.csv');
        const { headers, body } = await (await fetch('{{server}}/up', { method: 'POST', body: form })).json();
        return [headers['content-type'].split(';')[0], body.includes('filename="a.csv"')];
      }`,
    answer: ['multipart/form-data', true],
  },
];
