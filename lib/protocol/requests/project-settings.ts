import { z } from 'zod';
import { findBotHostsFault } from '../bots/allowed-hosts.ts';
import { RUN_CONTENTS } from '../bots/runs/run-contents.ts';
import { APP_REGISTRATION } from '../clients/registration.ts';
import { RECORD_ERASURE } from '../record-erasure/requests.ts';
import { PATIENT_REGISTRATION } from '../registration.ts';
import { findSettingFault } from '../sign-in/setting-fault.ts';
import { TEXT_SEARCH } from '../text-search.ts';
import { UPDATE_CREATE } from '../update-create.ts';
import { VIEW_NOTICE } from '../view-as/view-as.ts';
import { plainName } from './plain-name.ts';

const MAX_ITEMS = 200;
/** Also where they are set one by one. */
export const MOST_PROJECT_SECRETS = MAX_ITEMS;
const name = z
  .string({ error: 'name is required' })
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/, 'name must be a word of at most 128 letters, digits, _ . and -');

const VALUES = ['valueString', 'valueBoolean', 'valueDecimal', 'valueInteger'] as const;
const value = {
  valueString: z.string().min(1, 'a value must not be empty').max(32_768).optional(),
  valueBoolean: z.boolean().optional(),
  valueDecimal: z.number().optional(),
  valueInteger: z.int().optional(),
};

function hasOneValue(item: Record<string, unknown>): boolean {
  return VALUES.filter((key) => item[key] !== undefined).length === 1;
}

const ONE_VALUE = { error: 'exactly one of valueString, valueBoolean, valueDecimal and valueInteger is required' };
const setting = z
  .strictObject({ name, ...value }, { error: 'must be an object with name and value' })
  .refine(hasOneValue, ONE_VALUE);

/** The whole new list: no name twice. */
function list<T extends z.ZodType<{ name: string }>>(item: T) {
  return z
    .array(item, { error: 'The body must be an array' })
    .max(MAX_ITEMS, `at most ${MAX_ITEMS} entries`)
    .superRefine((items, context) => {
      const seen = new Set<string>();
      for (const [index, entry] of items.entries()) {
        if (seen.has(entry.name))
          context.addIssue({ code: 'custom', path: [index, 'name'], message: `${entry.name} stands twice` });
        seen.add(entry.name);
      }
    });
}

/** Settings that Gatehouse itself looks at: each is true or false. */
const FLAGS = [
  'apiKeys',
  'auditReads',
  PATIENT_REGISTRATION,
  APP_REGISTRATION,
  RECORD_ERASURE,
  RUN_CONTENTS,
  TEXT_SEARCH,
  UPDATE_CREATE,
  VIEW_NOTICE,
];

/** POST /admin/projects/{id}/settings and /secrets (contract §2.7). */
export const settingsRequest = list(
  setting
    .refine(({ name, valueBoolean }) => !FLAGS.includes(name) || valueBoolean !== undefined, {
      path: ['valueBoolean'],
      error: 'this setting is true or false: it takes valueBoolean',
    })
    .superRefine((item, context) => {
      const fault = findSettingFault(item) ?? findBotHostsFault(item);
      if (fault !== undefined) context.addIssue({ code: 'custom', path: ['valueString'], message: fault });
    }),
);
/** PUT /admin/projects/{id}/secrets/{name}. */
export const secretValueRequest = z
  .strictObject(value, { error: 'The body must be an object with a value' })
  .refine(hasOneValue, ONE_VALUE);
export const secretNameRequest = name;

/** Without the secrets of Google and reCAPTCHA, which nothing here would use: better refused than kept. */
const site = z.strictObject({
  name: plainName('name is required'),
  domain: z
    .array(z.string().regex(/^(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d+)?$/i, 'must be a host name'), {
      error: 'domain is required',
    })
    .min(1, 'domain is required'),
  googleClientId: z.string().min(1).optional(),
  recaptchaSiteKey: z.string().min(1).optional(),
});
/** POST /admin/projects/{id}/sites. */
export const sitesRequest = list(site);

/** POST /admin/projects/{id}/close: the project's name, as it stands: who closes a project has read which. `remove`: for good, after thirty days. */
export const closeProjectRequest = z.strictObject({
  name: z.string({ error: 'Type the name of the project' }),
  remove: z.boolean({ error: 'remove must be true or false' }).optional(),
});
