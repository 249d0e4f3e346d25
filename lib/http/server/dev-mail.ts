import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { type DevMail, listDevMail } from '#lib/infra/mail/list-dev-mail.ts';
import { acceptedTypes } from '../door/accepted-types.ts';
import { json, type Reply } from '../door/reply.ts';
import { isOnThisMachine } from './own-machine.ts';

/**
 * The development mailbox: only for callers on this machine, and only while mail has nowhere else to go. HTML for a person, JSON for
 * a test (`Accept: application/json`).
 */
export async function readDevMail(ctx: Ctx, request: Request): Promise<Reply> {
  if (env().RESEND_API_KEY || !isOnThisMachine(ctx, request)) throw notFound();
  const mails = await listDevMail();
  if (!acceptedTypes(request).includes('text/html')) return json(mails);
  return {
    status: 200,
    body: page(mails),
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; sandbox allow-popups allow-top-navigation-by-user-activation allow-same-origin",
    },
  };
}

function page(mails: DevMail[]): string {
  const items = mails.map(
    (
      mail,
    ) => `<article><h2>${escapeHtml(mail.subject)}</h2><p>To <b>${escapeHtml(mail.recipient)}</b>, <time>${mail.at.toISOString()}</time></p>
      <iframe title="${escapeHtml(mail.subject)}" sandbox="allow-popups allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(mail.html.replace('<head>', '<head><base target="_top">'))}"></iframe></article>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Development mailbox</title>
    <style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui;max-width:720px;margin:2rem auto;padding:0 1rem}article{border:1px solid #8886;border-radius:12px;padding:1rem 1.25rem;margin:1rem 0}h2{font-size:1.1rem;margin:0}iframe{width:100%;height:420px;border:0;border-radius:8px;background:#fff}</style>
    <h1>Development mailbox</h1><p>No RESEND_API_KEY is set, so mail stays here. Only this machine sees this page.</p>
    ${items.join('') || '<p>No mail yet.</p>'}</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
