import { host } from '../host.ts';
import { Blob, File } from './blob.ts';
import { concat, decode, encode } from './bytes.ts';
import { FormData } from './form-data.ts';

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
export function toMultipart(form: FormData): { bytes: Uint8Array; type: string } {
  const boundary = `----formdata-${host('uuid')}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of form) {
    const isText = typeof value === 'string';
    const file = isText ? '' : `; filename="${quoted(value.name)}"`;
    const type = isText ? '' : `\r\nContent-Type: ${value.type || 'application/octet-stream'}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lines(name))}"${file}${type}\r\n\r\n`;
    parts.push(encode(head), isText ? encode(lines(value)) : Blob.bytesOf(value), encode('\r\n'));
  }
  parts.push(encode(`--${boundary}--\r\n`));
  return { bytes: concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** RFC 7578. Throws a TypeError for what is none. */
export function fromMultipart(bytes: Uint8Array, type: string): FormData {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw new TypeError('formData: the type names no boundary');
  const form = new FormData();
  // As Latin-1, so that places in the text are places in the bytes.
  const text = latin1(bytes);
  const mark = `--${boundary}`;
  let at = text.startsWith(mark) ? 0 : text.indexOf(`\r\n${mark}`) + 2;
  if (at < 2 && !text.startsWith(mark)) throw new TypeError('formData: the boundary is missing');
  for (;;) {
    at += mark.length;
    if (text.startsWith('--', at)) return form;
    const headEnd = text.indexOf('\r\n\r\n', at);
    const end = headEnd < 0 ? -1 : text.indexOf(`\r\n${mark}`, headEnd + 2);
    if (end < 0) throw new TypeError('formData: a part has no end');
    addPart(form, decode(bytes.slice(at, headEnd)), bytes.slice(Math.min(headEnd + 4, end), end));
    at = end + 2;
  }
}

function addPart(form: FormData, head: string, content: Uint8Array): void {
  const name = /\bname="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) throw new TypeError('formData: a part has no name');
  const filename = /\bfilename="([^"]*)"/i.exec(head)?.[1];
  const type = /\r\ncontent-type:\s*([^\r\n]+)/i.exec(head)?.[1]?.trim();
  if (filename === undefined) form.append(unquoted(name), decode(content));
  else form.append(unquoted(name), new File([content], unquoted(filename), { type: type ?? 'text/plain' }));
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function lines(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function unquoted(text: string): string {
  return text.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%22', '"');
}
