import { type APIRequestContext, expect } from '@playwright/test';

export type Mail = { recipient: string; subject: string; html: string; text: string };

/** The newest mail to `recipient` in the server's development mailbox. Mail is a job: it arrives a moment after the request. */
export async function readMail(request: APIRequestContext, recipient: string): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        const mails = (await (
          await request.get('/dev/mail', { headers: { accept: 'application/json' } })
        ).json()) as Mail[];
        found = mails.find((mail) => mail.recipient.toLowerCase() === recipient.toLowerCase());
        return found?.recipient;
      },
      { message: `mail to ${recipient}`, timeout: 15_000 },
    )
    .toBeDefined();
  return found!;
}

/** The first link of a mail that leads to `path` (a prefix such as `/setpassword/`). */
export function findLink(mail: Mail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname.startsWith(path));
  expect(link, `a link to ${path} in "${mail.subject}"`).toBeDefined();
  return link!;
}
