import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Message } from '#lib/infra/mail/queue-mail.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { MEDIA_TYPE } from '#lib/protocol/project-mail/attachments.ts';
import type { SendEmailRequest } from '#lib/protocol/project-mail/send-email.ts';
import type { Ctx } from '../access/context.ts';
import { readWhole } from '../bytes/find-bytes.ts';
import { readBinary } from '../rest/binary/read-binary.ts';

type Asked = NonNullable<SendEmailRequest['attachments']>;
type Attached = NonNullable<Message['attachments']>;

/** Of all, in base64: a mail is a row of the database until it is out. */
const MOST_ATTACHED = 2 * 1024 * 1024;
const TOO_LARGE = 'All attachments together have at most 1.5 MiB';

/** With the bytes of those that are Binaries, as the caller may read them: 404 for what they may not, 400 for more than a mail has. */
export async function attach(ctx: Ctx, asked: Asked): Promise<Attached> {
  const attached: Attached = [];
  let size = 0;
  for (const [at, { path, content, ...named }] of asked.entries()) {
    const field = `attachments[${at}].path`;
    const one = path === undefined ? { ...named, content: content ?? '' } : await fromBinary(ctx, path, field, named);
    size += one.content.length;
    if (size > MOST_ATTACHED) throw new AppError('invalid', TOO_LARGE, { expression: 'attachments' });
    attached.push(one);
  }
  return attached;
}

async function fromBinary(ctx: Ctx, path: string, expression: string, named: Omit<Asked[number], 'path' | 'content'>) {
  const parsed = parseReference(path, fhirBase());
  if (parsed?.kind !== 'local' || parsed.type !== 'Binary') {
    const text =
      'A path is that of a Binary of this server, as Binary/<id>: nothing else is fetched, and no file is read';
    throw new AppError('invalid', text, { expression });
  }
  const { contentType, found } = await readBinary(ctx, parsed.id, parsed.version);
  if (found.size > MOST_ATTACHED) throw new AppError('invalid', TOO_LARGE, { expression: 'attachments' });
  const content = (await readWhole(found)).toString('base64');
  return { ...(MEDIA_TYPE.test(contentType) && { contentType }), ...named, content };
}
