import { describe, expect, test } from 'vitest';
import { sendEmailRequest } from './send-email.ts';

const MAIL = { to: 'ann@example.com', subject: 'Hello', text: 'x' };
const [ANN, BEN, CLEO] = ['ann@example.com', '"Ben B." <ben@example.com>', '"Cole, Cleo" <cleo@example.com>'];

describe('addresses as nodemailer takes them', () => {
  test.each<[unknown, string[]]>([
    ['ann@example.com', [ANN]],
    [' <ann@example.com> ', [ANN]],
    ['Ben B. <ben@example.com>', [BEN]],
    ['"Cole, Cleo" <cleo@example.com>', [CLEO]],
    ['ann@example.com, Ben B. <ben@example.com>; "Cole, Cleo"<cleo@example.com>,', [ANN, BEN, CLEO]],
    [{ name: 'Ben B.', address: 'ben@example.com' }, [BEN]],
    [{ address: 'ann@example.com' }, [ANN]],
    [
      ['ann@example.com', { name: 'Ben B.', address: 'ben@example.com' }, null, ''],
      [ANN, BEN],
    ],
    [
      ['ann@example.com,Ben B. <ben@example.com>', '"Cole, Cleo" <cleo@example.com>'],
      [ANN, BEN, CLEO],
    ],
    ["Zoë O'Neil (Billing) <ann@example.com>", [`"Zoë O'Neil (Billing)" <ann@example.com>`]],
  ])('%j', (given, expected) => {
    const read = sendEmailRequest.parse({ ...MAIL, to: given, cc: given, bcc: given, replyTo: given });
    expect(read).toMatchObject({ to: expected, cc: expected, bcc: expected, replyTo: expected });
  });

  test.each<[unknown]>([
    ['ann'],
    ['ann@example.com ben@example.com'],
    ['Cole, Cleo <cleo@example.com>'],
    ['"Ann <ann@example.com>'],
    ['Ann <ann@example.com'],
    ['Ann <>'],
    ['Ann <ann@example.com> x'],
    ['Ann <ann@example.com>\r\nBcc: ben@example.com'],
    ['"Ann\r\nBcc: ben@example.com" <ann@example.com>'],
    ['"Ann\\" <ben@example.com>, \\"" <ann@example.com>'],
    [{ name: 'Ann\n', address: 'ann@example.com\nBcc: ben@example.com' }],
    [{ name: 'A" <ben@example.com>, "B', address: 'ann@example.com' }],
    [{ name: 'A\\', address: 'ann@example.com' }],
    [{ name: 'Ann' }],
    [7],
    [[['ann@example.com']]],
    [['ann@example.com', 'ben']],
    [`"${'\\"'.repeat(1_000_000)}`],
    [`Ann ${'<'.repeat(30_000)}`],
    [`${' '.repeat(30_000)}"`],
  ])('%j is refused', (given) => {
    const read = sendEmailRequest.safeParse({ ...MAIL, cc: given });
    expect(read.error?.issues[0]?.message).toMatch(/^An address is /);
    expect(read.error?.issues[0]?.path[0]).toBe('cc');
  });

  test('fifty, however they are written', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.com`);
    expect(sendEmailRequest.parse({ ...MAIL, bcc: many(50).join() }).bcc).toHaveLength(50);
    for (const bcc of [many(51), many(51).join(), ['a@example.com', many(50).join(';')]])
      expect(sendEmailRequest.safeParse({ ...MAIL, bcc }).error?.issues[0]?.message).toBe('At most 50 addresses');
  });

  test('of a list no more is looked at than is of use', () => {
    for (const cc of [Array(201).fill(''), Array(180).fill(','.repeat(32 * 1024))])
      expect(sendEmailRequest.safeParse({ ...MAIL, cc }).error?.issues[0]?.path).toEqual(['cc']);
  });

  test('nobody: of those who may be missing it is as if they were not said', () => {
    const read = sendEmailRequest.parse({ ...MAIL, cc: '', bcc: [null], replyTo: null });
    expect(Object.entries(read).filter(([, value]) => value !== undefined)).toHaveLength(3);
    for (const to of ['', ' ', [], null, undefined, ',;'])
      expect(sendEmailRequest.safeParse({ ...MAIL, to }).error?.issues[0]?.message).toBe('An address is required');
  });

  test.each(['from', 'sender'])('%s is refused with what there is instead', (field) => {
    const { error } = sendEmailRequest.safeParse({ ...MAIL, [field]: 'boss@example.com' });
    expect(error?.issues).toMatchObject([{ path: [field], message: expect.stringContaining('replyTo') }]);
  });
});

describe('attachments as nodemailer takes them', () => {
  const read = (attachment: object) => sendEmailRequest.safeParse({ ...MAIL, attachments: [attachment] });
  const HI = Buffer.from('hï').toString('base64');

  test.each<[object]>([
    [{ content: 'hï' }],
    [{ content: HI, encoding: 'base64' }],
    [{ content: `${HI.slice(0, 2)}\r\n${HI.slice(2)}`, encoding: 'base64' }],
    [{ content: '68c3af', encoding: 'hex' }],
    [{ content: 'h\u00c3\u00af', encoding: 'binary' }],
    [{ content: Buffer.from('hï') }],
    [{ content: new TextEncoder().encode('hï') }],
  ])('%j', (given) => {
    const sent = JSON.parse(JSON.stringify({ filename: 'a.txt', ...given }));
    expect(read(sent).data?.attachments).toEqual([{ filename: 'a.txt', content: HI }]);
  });

  test('a name is made where there is none; an image that the HTML shows keeps its id', () => {
    const attachments = [
      { content: 'a', contentType: 'text/csv' },
      { content: 'b' },
      { path: 'Binary/1', cid: 'logo@x', contentType: 'image/png; x="y"' },
    ];
    expect(sendEmailRequest.parse({ ...MAIL, attachments }).attachments).toMatchObject([
      { filename: 'attachment-1.csv' },
      { filename: 'attachment-2.bin' },
      { filename: 'attachment-3.png', path: 'Binary/1', contentId: 'logo@x' },
    ]);
  });

  test.each<[object, string]>([
    [{}, 'content'],
    [{ content: 'a', path: 'Binary/1' }, 'content'],
    [{ content: { type: 'Buffer', data: [256] } }, 'content'],
    [{ content: { 0: 1, 2: 3 } }, 'content'],
    [{ content: { foo: 'bar' } }, 'content'],
    // As a promise and an ArrayBuffer look.
    [{ content: {} }, 'content'],
    [{ content: [] }, 'content'],
    [{ content: 'a', encoding: 'x' }, 'encoding'],
    [{ content: 'a', contentType: 'text/plain\r\nX-A: b' }, 'contentType'],
    [{ content: 'a', cid: 'a>\r\nX-A: b' }, 'cid'],
    [{ content: 'a', filename: 'a\u0000b' }, 'filename'],
    [{ content: 'a', href: 'https://example.com/a' }, ''],
  ])('%j is refused', (given, field) => {
    const { error } = read(given);
    expect(error?.issues[0]?.path.join('.')).toMatch(new RegExp(`^attachments\\.0\\.?${field}$`));
  });
});
