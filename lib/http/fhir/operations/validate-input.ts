import { AppError } from '#lib/base/errors.ts';
import { contentLimit, readJson } from '../../door/read-body.ts';

const MODES = ['create', 'update', 'delete', 'profile'] as const;
type Mode = (typeof MODES)[number];

export type ValidateInput = {
  /** Absent only when mode is delete. */
  resource: unknown;
  mode: Mode | undefined;
  profiles: string[];
};

export const MAX_PROFILES = 10;

/** What beside the resource may be given, and how often: in the URL, or as parameters of this type. */
const NAMES: Record<string, { values: readonly string[]; most: number }> = {
  mode: { values: ['valueCode'], most: 1 },
  profile: { values: ['valueUri', 'valueCanonical', 'valueUrl'], most: MAX_PROFILES },
};

/**
 * The body is the resource, with the rest in the URL, or Parameters (R4 operations §3.2.0.2). Throws 400 for what is missing, unknown
 * or makes no sense, naming it.
 */
export async function readValidateInput(type: string, request: Request, url: URL): Promise<ValidateInput> {
  const given = readQuery(url);
  const body = await readJson(request, contentLimit());
  const resource = isParameters(body) ? readParameters(body, given, type) : body;
  const [mode] = given.get('mode') ?? [];
  if (mode !== undefined && !isMode(mode)) throw wrong('mode', `mode must be one of ${MODES.join(', ')}`);
  const profiles = given.get('profile') ?? [];
  if (mode === 'profile' && profiles.length === 0) throw wrong('profile', 'mode profile needs a profile');
  if (resource === undefined && mode !== 'delete') {
    throw new AppError('structure', 'There is no resource to validate', { expression: 'resource' });
  }
  return { resource, mode, profiles };
}

type Given = Map<string, string[]>;
type Parameter = { name?: unknown; resource?: unknown; [value: string]: unknown };

function readQuery(url: URL): Given {
  const given: Given = new Map();
  for (const [name, value] of url.searchParams) {
    if (name === '_format' || name === '_pretty') continue;
    if (!Object.hasOwn(NAMES, name)) throw wrong(name.slice(0, 80), `Unknown parameter: ${name.slice(0, 80)}`);
    add(given, name, value);
  }
  return given;
}

/** Returns the resource. Parameters can be what is to be validated themselves. */
function readParameters(body: { parameter?: unknown }, given: Given, type: string): unknown {
  const { parameter = [] } = body;
  const isItself = type === 'Parameters' && !(Array.isArray(parameter) && parameter.some(isResource));
  if (isItself) return body;
  if (!Array.isArray(parameter)) {
    throw new AppError('structure', 'parameter must be a list', { expression: 'Parameters.parameter' });
  }
  let resource: unknown;
  for (const [index, item] of (parameter as (Parameter | null)[]).entries()) {
    const { name, ...rest } = item ?? {};
    const expression = `Parameters.parameter[${index}]`;
    if (name === 'resource') {
      if (resource !== undefined) throw wrong(expression, 'resource is given twice');
      resource = rest.resource;
      continue;
    }
    const known = typeof name === 'string' && Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    if (!known) throw wrong(expression, `Unknown parameter: ${String(name).slice(0, 80)}`);
    const value = known.values.map((key) => rest[key]).find((text) => text !== undefined);
    if (typeof value !== 'string') throw wrong(expression, `${name} needs ${known.values[0]}`);
    add(given, String(name), value);
  }
  return resource;
}

function add(given: Given, name: string, value: string): void {
  const values = [...(given.get(name) ?? []), value];
  const { most = 1 } = NAMES[name] ?? {};
  if (values.length > most) throw wrong(name, `${name} may stand at most ${most === 1 ? 'once' : `${most} times`}`);
  given.set(name, values);
}

function isParameters(body: unknown): body is { parameter?: unknown } {
  return (body as { resourceType?: unknown } | null | undefined)?.resourceType === 'Parameters';
}

function isResource(item: Parameter | null): boolean {
  return item?.name === 'resource' && item.resource !== undefined;
}

function isMode(text: string): text is Mode {
  return MODES.some((mode) => mode === text);
}

function wrong(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
