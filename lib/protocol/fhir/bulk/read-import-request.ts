import { AppError } from '#lib/base/errors.ts';
import { isResourceType } from '../type-ids.ts';
import { NDJSON } from './ndjson.ts';

/** `etag`: what its server must call the file, without quotes. */
export type ImportInput = { type: string; url: string; etag?: string };

export const MOST_FILES = 200;
const MAX_TEXT = 4000;

/**
 * What an import is of: Parameters, or the manifest of SMART's draft (`{inputFormat, inputSource, storageDetail, input: [{type, url}]}`). Throws 400
 * by name for whatever else stands there, and for what is missing.
 */
export function readImportRequest(body: unknown): ImportInput[] {
  const isParameters = (body as { resourceType?: unknown } | undefined)?.resourceType === 'Parameters';
  const given = isParameters ? fromParameters((body as { parameter?: unknown }).parameter) : fromManifest(body);
  for (const { name, value } of given) {
    if (!Object.hasOwn(CHECKS, name)) throw bad(name, `${name.slice(0, 80)} is not supported here`);
    if (name !== 'input' && given.filter((other) => other.name === name).length > 1)
      throw bad(name, `${name} may stand only once`);
    CHECKS[name as keyof typeof CHECKS](value);
  }
  if (!given.some(({ name }) => name === 'inputFormat')) throw bad('inputFormat', 'inputFormat is missing');
  const inputs = given.filter(({ name }) => name === 'input');
  if (inputs.length === 0) throw bad('input', 'input is missing: name the files');
  if (inputs.length > MOST_FILES) throw bad('input', `An import has ${MOST_FILES} files at most`);
  return inputs.map(({ value }, at) => toInput(value, `input[${at}]`));
}

type Given = { name: string; value: unknown };

const CHECKS: Record<'inputFormat' | 'inputSource' | 'storageDetail' | 'input', (value: unknown) => void> = {
  inputFormat(value) {
    if (!NDJSON.has(toText(value, 'inputFormat')))
      throw bad('inputFormat', 'inputFormat must be application/fhir+ndjson');
  },
  /** It only says where they come from. */
  inputSource: (value) => void toText(value, 'inputSource'),
  storageDetail(value) {
    const { type, ...rest } = toObject(value, 'storageDetail');
    const [other] = Object.keys(rest);
    if (other !== undefined) throw bad(`storageDetail.${other}`, `${other.slice(0, 80)} is not supported here`);
    if (type !== 'https') throw bad('storageDetail.type', 'Files are fetched by https alone');
  },
  input: () => {},
};

function toInput(value: unknown, at: string): ImportInput {
  const { type, url, etag, ...rest } = toObject(value, at);
  const [other] = Object.keys(rest);
  if (other !== undefined) throw bad(`${at}.${other}`, `${other.slice(0, 80)} is not supported here`);
  if (typeof type !== 'string' || !isResourceType(type)) throw bad(`${at}.type`, 'type must be a resource type');
  const input = { type, url: toText(url, `${at}.url`) };
  return etag === undefined ? input : { ...input, etag: toText(etag, `${at}.etag`).replaceAll('"', '') };
}

function fromManifest(body: unknown): Given[] {
  const all = Object.entries(toObject(body, 'Parameters'));
  return all.flatMap(([name, value]): Given[] => {
    if (name !== 'input') return [{ name, value }];
    if (!Array.isArray(value)) throw bad('input', 'input must be a list');
    return value.map((each) => ({ name, value: each }));
  });
}

function fromParameters(parameter: unknown): Given[] {
  if (!Array.isArray(parameter)) throw bad('Parameters.parameter', 'Parameters without a parameter');
  let files = 0;
  return parameter.map((item: unknown, at): Given => {
    const { name, ...rest } = toObject(item, `Parameters.parameter[${at}]`);
    if (typeof name !== 'string') throw bad(`Parameters.parameter[${at}]`, 'A parameter needs a name');
    if (!Array.isArray(rest.part)) return { name, value: toValue(rest, name) };
    const place = name === 'input' ? `input[${files++}]` : name;
    const parts = rest.part.map((part: unknown): [string, unknown] => {
      const { name: own, ...its } = toObject(part, place);
      if (typeof own !== 'string') throw bad(place, `A part of ${place.slice(0, 80)} needs a name`);
      return [own, toValue(its, `${place}.${own}`)];
    });
    const twice = parts.find(([own], first) => parts.findIndex(([other]) => other === own) !== first);
    if (twice) throw bad(`${place}.${twice[0]}`, `${twice[0].slice(0, 80)} may stand only once`);
    return { name, value: Object.fromEntries(parts) };
  });
}

function toValue(item: Record<string, unknown>, name: string): string {
  const values = Object.entries(item).filter(([key]) => key.startsWith('value'));
  if (values.length !== 1) throw bad(name, `${name.slice(0, 80)} needs a value`);
  return toText(values[0]![1], name);
}

function toText(value: unknown, name: string): string {
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
  if (isText && value.isWellFormed() && !value.includes('\0')) return value;
  throw bad(name, `${name.slice(0, 80)} must be text of ${MAX_TEXT} characters at most`);
}

function toObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw bad(
    name,
    name === 'Parameters' ? 'Send Parameters that name the files' : `${name.slice(0, 80)} has parts of its own`,
  );
}

function bad(name: string, text: string): AppError {
  return new AppError('invalid', text, { expression: name.slice(0, 80) });
}
