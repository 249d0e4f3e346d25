import { SANDBOX_LIMITS } from '../../host/limits.ts';
import { host } from '../host.ts';
import { NewPromise } from '../primordials.ts';
import { type Content, toBytes } from './body.ts';
import { fromBase64, toBase64 } from './bytes.ts';
import { shared } from './given.ts';
import { Request, type RequestInit } from './request.ts';
import { type Response, responseOf, type Told } from './response.ts';

type Answer = (Told & { text?: string; base64?: string }) | { failed: { code: string; text: string } };

/** https://fetch.spec.whatwg.org/#fetch-method, carried out by the server (domain/runs/fetch-for-bot.ts), which says what may be asked. */
export async function fetch(input: unknown, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { method, url, headers, redirect, signal } = request;
  signal.throwIfAborted();
  const content = request.take();
  // A stream may give nothing for long.
  const body = content && (await unlessAborted(signal, toWire(content, signal)));
  signal.throwIfAborted();
  const asked = { method, url, redirect, headers: [...headers], ...body };
  const answer = await ask(signal, asked);
  if ('failed' in answer) throw failed(Object.assign(new Error(answer.failed.text), { code: answer.failed.code }));
  const { text, base64 = '' } = answer;
  return responseOf(text === undefined ? { bytes: fromBase64(base64) } : { text }, answer);
}

async function toWire(content: Content, signal: AbortSignal): Promise<{ text: string } | { base64: string }> {
  if ('text' in content) {
    if (content.text.length > SANDBOX_LIMITS.fetchBytes) throw tooLarge();
    return { text: content.text.toWellFormed() };
  }
  const check = (size: number) => {
    signal.throwIfAborted();
    if (size > SANDBOX_LIMITS.fetchBytes) throw tooLarge();
  };
  const bytes = await toBytes(content, check);
  check(bytes.byteLength);
  return { base64: toBase64(bytes) };
}

function ask(signal: AbortSignal, asked: unknown): Promise<Answer> {
  let callId: number | undefined;
  const begun = (id: number) => {
    callId = id;
  };
  const answer = shared()
    .call('fetch', [asked], begun)
    .then(
      (told) => told as Answer,
      (error) => {
        throw failed(error);
      },
    );
  return unlessAborted(signal, answer, () => {
    if (callId !== undefined) host('abort', callId);
  });
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, giveUp?: () => void): Promise<T> {
  return new NewPromise((resolve, reject) => {
    const onAbort = () => {
      giveUp?.();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort));
  });
}

type AbortSignal = Request['signal'];

function tooLarge(): TypeError {
  return failed(Object.assign(new Error('the body is larger than 4 MiB'), { code: 'TOO_LARGE' }));
}

function failed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}
