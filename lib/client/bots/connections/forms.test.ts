import { expect, test } from 'vitest';
import { changePart, isOvertaken, withPart } from '../../api/part-draft.ts';
import { toHosts, toHostsForm } from './hosts-form.ts';
import { toSchedule, toScheduleForm, toScheduleQuery } from './schedule-form.ts';
import { toWebhook, toWebhookForm } from './webhook-form.ts';

const ZONE = { url: 'http://hl7.org/fhir/StructureDefinition/timezone', valueCode: 'Europe/Berlin' };
const OTHER = { url: 'urn:other', valueString: 'x' };
const SIGNATURE = {
  url: 'urn:gatehouse:bot-webhook-signature',
  extension: [
    { url: 'preset', valueCode: 'hex' },
    { url: 'secret', valueString: 'KEY' },
    { url: 'header', valueString: 'X-Sig' },
    { url: 'tolerance', valueInteger: 60 },
  ],
};
const REPEAT = { frequency: 2, period: 1, periodUnit: 'd' as const, timeOfDay: ['08:30:00', '17:00:00'] };

test.each([
  [{}],
  [{ cronString: '0 * * * *', extension: [OTHER] }],
  [{ cronString: '0 * * * *', extension: [OTHER, ZONE] }],
  [{ cronTiming: { repeat: { ...REPEAT, dayOfWeek: ['mon' as const, 'fri' as const] } }, extension: [ZONE] }],
  [{ cronTiming: { repeat: { period: 15, periodUnit: 'min' as const } }, extension: [ZONE] }],
])('a schedule that was only looked at is stored as it was: %j', (bot) => {
  expect(toSchedule(toScheduleForm(bot), bot)).toEqual({ cronString: undefined, cronTiming: undefined, ...bot });
});

test('a signature that is only begun is not stored', () => {
  const form = { ...toWebhookForm({ extension: [OTHER] }), preset: 'hex' as const, secret: 'KEY' };
  expect(toWebhook(form, { extension: [OTHER] })).toEqual({ extension: [OTHER] });
  expect(toWebhook({ ...form, header: 'X-Sig' }, {}).extension).toHaveLength(1);
});

test('what is changed in one form stays beside what was saved by another meanwhile, and is told of where both changed the same', () => {
  const stored = toWebhookForm({ publicWebhook: true, extension: [SIGNATURE] });
  const draft = changePart(changePart(undefined, stored, { secret: 'NEW' }), stored, { tolerance: '7' })!;
  const later = { ...stored, raw: true };
  expect(withPart(later, draft)).toEqual({ ...later, secret: 'NEW', tolerance: '7' });
  expect(isOvertaken(later, draft)).toBe(false);
  expect(isOvertaken({ ...stored, secret: 'OTHER' }, draft)).toBe(true);
  expect(isOvertaken({ ...stored, secret: 'NEW' }, draft), 'both say the same').toBe(false);
  // What is again as it was when it was begun is changed by nobody.
  const back = changePart(changePart(undefined, stored, { open: false }), stored, { open: true });
  expect(back).toBeUndefined();
  expect(changePart(changePart(draft, stored, { raw: true }), stored, { raw: false })).toEqual(draft);
  // What stood there when it was begun counts, not what came since.
  expect(isOvertaken({ ...stored, secret: 'OTHER' }, changePart(draft, later, { secret: 'LAST' })!)).toBe(true);
});

test('a schedule that is taken out takes its zone along, and nothing else', () => {
  const bot = { cronString: '0 * * * *', extension: [OTHER, ZONE] };
  expect(toSchedule({ ...toScheduleForm(bot), kind: 'none' }, bot)).toEqual({ extension: [OTHER] });
});

test('the server is asked for what is typed, and for nothing while that is nothing', () => {
  const form = { kind: 'none' as const, cron: '', times: '', days: [], zone: '' };
  for (const kind of ['none', 'other', 'cron', 'times'] as const)
    expect(toScheduleQuery({ ...form, kind })).toBeUndefined();
  expect(toScheduleQuery({ ...form, kind: 'cron', cron: ' 0 8 * * * ', zone: 'Asia/Tokyo' })).toEqual({
    cron: '0 8 * * *',
    zone: 'Asia/Tokyo',
  });
  const { timing = '' } = toScheduleQuery({ ...form, kind: 'times', times: '8:30; 17:00', days: ['fri', 'mon'] }) ?? {};
  expect(JSON.parse(timing)).toEqual({ repeat: { ...REPEAT, dayOfWeek: ['mon', 'fri'] } });
});

test.each([[{}], [{ publicWebhook: true, rawBody: true, extension: [OTHER, SIGNATURE] }]])(
  'a webhook that was only looked at is stored as it was: %j',
  (bot) => {
    expect(toWebhook(toWebhookForm(bot), bot)).toEqual(bot);
  },
);

test('who nobody signs for any more has no signature, and what is no part of a preset is left out', () => {
  const bot = { extension: [SIGNATURE, OTHER] };
  expect(toWebhook({ ...toWebhookForm(bot), preset: 'none' }, bot).extension).toEqual([OTHER]);
  const github = toWebhook({ ...toWebhookForm(bot), preset: 'github', tolerance: '' }, bot).extension?.at(-1);
  expect(github?.extension?.map(({ url }) => url)).toEqual(['preset', 'secret']);
});

test('hosts are one in each line; none is a list of its own', () => {
  for (const allowedHost of [undefined, ['none'], ['a.example', '*.b.example']])
    expect(toHosts(toHostsForm({ allowedHost }))).toEqual({ allowedHost });
  expect(toHosts({ kind: 'list', hosts: ' a.example,\n\n*.b.example ' })).toEqual({
    allowedHost: ['a.example', '*.b.example'],
  });
});
