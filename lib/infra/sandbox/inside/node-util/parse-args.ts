import { received } from './functions.ts';

type Value = string | boolean;
type Option = { type: 'string' | 'boolean'; short?: string; multiple?: boolean; default?: Value | Value[] };
type Options = Record<string, Option>;
type Config = {
  args?: string[];
  options?: Options;
  strict?: boolean;
  allowPositionals?: boolean;
  allowNegative?: boolean;
  tokens?: boolean;
};
type OptionToken = {
  kind: 'option';
  name: string;
  rawName: string;
  index: number;
  value: string | undefined;
  inlineValue: boolean | undefined;
};
type Token =
  | OptionToken
  | { kind: 'positional'; index: number; value: string }
  | { kind: 'option-terminator'; index: number };

/** https://nodejs.org/api/util.html#utilparseargsconfig. A bot has no arguments but those that it gives. */
export function parseArgs(config: Config = {}) {
  const { args = process.argv.slice(2), options = {}, strict = true, allowNegative = false } = config;
  const { allowPositionals = !strict } = config;
  check(options);
  const tokens = toTokens(args, options);
  const values: Record<string, Value | Value[]> = Object.create(null);
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option') {
      if (strict) checkUsage(token, options, allowNegative, allowPositionals);
      store(token, options, values, allowNegative);
    } else if (token.kind === 'positional') {
      if (!allowPositionals) {
        const text = `Unexpected argument '${token.value}'. This command does not take positional arguments`;
        throw failure('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', text);
      }
      positionals.push(token.value);
    }
  }
  for (const [name, { default: otherwise }] of Object.entries(options))
    if (otherwise !== undefined && values[name] === undefined && name !== '__proto__') values[name] = otherwise;
  return { values, positionals, ...(config.tokens && { tokens }) };
}

function check(options: Options): void {
  for (const [name, { type, short }] of Object.entries(options)) {
    if (type !== 'string' && type !== 'boolean') {
      const text = `The "options.${name}.type" property must be ('string|boolean'). Received ${received(type)}`;
      throw failure('ERR_INVALID_ARG_TYPE', text);
    }
    if (short !== undefined && short.length !== 1) {
      const text = `The property 'options.${name}.short' must be a single character. Received '${short}'`;
      throw failure('ERR_INVALID_ARG_VALUE', text);
    }
  }
}

const ownOption = (options: Options, name: string): Option | undefined =>
  Object.hasOwn(options, name) ? options[name] : undefined;
const takesText = (options: Options, name: string) => ownOption(options, name)?.type === 'string';
const longOf = (options: Options, short: string) =>
  Object.entries(options).find(([, option]) => option.short === short)?.[0] ?? short;

function toTokens(args: readonly string[], options: Options): Token[] {
  const tokens: Token[] = [];
  const rest = [...args];
  let index = -1;
  // What `-abc` was taken apart into stands at one place.
  let group = 0;
  const add = (name: string, rawName: string, value?: string, inlineValue?: boolean) =>
    tokens.push({ kind: 'option', name, rawName, index, value, inlineValue });
  const addWithNext = (name: string, rawName: string) => {
    const value = takesText(options, name) ? rest.shift() : undefined;
    add(name, rawName, value, value === undefined ? undefined : false);
    if (value !== undefined) index += 1;
  };
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (group > 0) group -= 1;
    else index += 1;
    if (arg === '--') {
      tokens.push({ kind: 'option-terminator', index });
      for (const value of rest) {
        index += 1;
        tokens.push({ kind: 'positional', index, value });
      }
      break;
    }
    if (arg.length > 2 && arg.startsWith('--')) {
      const equals = arg.indexOf('=', 3);
      if (equals < 0) addWithNext(arg.slice(2), arg);
      else add(arg.slice(2, equals), `--${arg.slice(2, equals)}`, arg.slice(equals + 1), true);
    } else if (arg.length < 2 || !arg.startsWith('-')) tokens.push({ kind: 'positional', index, value: arg });
    else if (arg.length === 2) addWithNext(longOf(options, arg[1]!), arg);
    else if (takesText(options, longOf(options, arg[1]!)))
      add(longOf(options, arg[1]!), arg.slice(0, 2), arg.slice(2), true);
    else {
      const parts = apart(arg, options);
      rest.unshift(...parts);
      group = parts.length;
    }
  }
  return tokens;
}

/** `-abfFILE` is `-a -b -fFILE`. */
function apart(arg: string, options: Options): string[] {
  const parts: string[] = [];
  for (let at = 1; at < arg.length; at += 1) {
    const isText = takesText(options, longOf(options, arg[at]!));
    if (isText && at < arg.length - 1) {
      parts.push(`-${arg.slice(at)}`);
      break;
    }
    parts.push(`-${arg[at]}`);
  }
  return parts;
}

function checkUsage(token: OptionToken, options: Options, allowNegative: boolean, allowPositionals: boolean): void {
  const { rawName, value, inlineValue } = token;
  let { name } = token;
  let option = ownOption(options, name);
  if (!option && allowNegative && name.startsWith('no-')) {
    name = name.slice(3);
    option = ownOption(options, name);
    if (option?.type !== 'boolean') option = undefined;
  }
  if (!option) {
    const hint = `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${rawName}"`;
    throw failure('ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${rawName}'${allowPositionals ? hint : ''}`);
  }
  const called = `${option.short ? `-${option.short}, ` : ''}--${name}`;
  const refuse = (text: string) => failure('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', text);
  if (option.type === 'string' && value === undefined) throw refuse(`Option '${called} <value>' argument missing`);
  if (option.type === 'boolean' && value !== undefined) throw refuse(`Option '${called}' does not take an argument`);
  if (inlineValue || value === undefined || value.length < 2 || !value.startsWith('-')) return;
  const example = rawName.startsWith('--') ? `'${rawName}=-XYZ'` : `'--${token.name}=-XYZ' or '${rawName}-XYZ'`;
  throw refuse(
    `Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\nTo specify an option argument starting with a dash use ${example}.`,
  );
}

function store(
  token: OptionToken,
  options: Options,
  values: Record<string, Value | Value[]>,
  allowNegative: boolean,
): void {
  if (token.name === '__proto__') return;
  const isNegated = allowNegative && token.name.startsWith('no-') && token.value === undefined;
  if (isNegated) token.name = token.name.slice(3);
  const value = isNegated ? false : (token.value ?? true);
  const before = values[token.name];
  if (!ownOption(options, token.name)?.multiple) values[token.name] = value;
  else if (Array.isArray(before)) before.push(value);
  else values[token.name] = [value];
}

function failure(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}
