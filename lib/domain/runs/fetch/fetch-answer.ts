import { isUtf8 } from 'node:buffer';
import { isLongInJson } from '#lib/base/is-long-in-json.ts';
import type { OutsideAnswer } from '#lib/infra/net/web/request-outside.ts';

/** What a bot's context gets: of a body its text where it is one, since most are and JSON carries it best; else base64. */
export type Answered =
  | { failed: { code: string; text: string } }
  | {
      url: string;
      status: number;
      statusText: string;
      headers: [string, string][];
      isRedirected: boolean;
      text?: string;
      base64?: string;
    };

export function toAnswered({ url, status, statusText, headers, isRedirected, body }: OutsideAnswer): Answered {
  return { url: url.href, status, statusText, headers, isRedirected, ...toContent(body) };
}

function toContent(body: Buffer): { text: string } | { base64: string } {
  const text = isUtf8(body) ? body.toString() : undefined;
  return text === undefined || isLongInJson(text) ? { base64: body.toString('base64') } : { text };
}
