export type Options = {
  showHidden: boolean;
  depth: number | null;
  colors: boolean;
  customInspect: boolean;
  showProxy: boolean;
  maxArrayLength: number | null;
  maxStringLength: number | null;
  breakLength: number;
  compact: boolean | number;
  sorted: boolean | ((a: string, b: string) => number);
  getters: boolean | 'get' | 'set';
  numericSeparator: boolean;
};

export type Stylize = (text: string, style: string) => string;

/** Of one call of `inspect`, on its way through the value. */
export type Context = Omit<Options, 'depth' | 'maxArrayLength' | 'maxStringLength'> & {
  depth: number;
  isUnlimited: boolean;
  maxArrayLength: number;
  maxStringLength: number;
  stylize: Stylize;
  indentation: number;
  currentDepth: number;
  seen: unknown[];
  circular: Map<unknown, number> | undefined;
  userOptions: object | undefined;
};

export const defaultOptions: Options = {
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10_000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
};

const PLAIN =
  'reset:0:0 bold:1:22 dim:2:22 italic:3:23 underline:4:24 blink:5:25 inverse:7:27 hidden:8:28 strikethrough:9:29 doubleunderline:21:24';
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const SAME =
  'grey:gray blackBright:gray bgGrey:bgGray bgBlackBright:bgGray faint:dim crossedout:strikethrough strikeThrough:strikethrough crossedOut:strikethrough conceal:hidden swapColors:inverse swapcolors:inverse doubleUnderline:doubleunderline';

/** https://en.wikipedia.org/wiki/ANSI_escape_code#graphics: what begins a style, and what ends it. */
export const colors: Record<string, [number, number]> = Object.create(null);
const put = (from: number, end: number, nameOf: (name: string, capital: string) => string) => {
  for (const [at, name] of NAMES.entries())
    colors[nameOf(name, name[0]!.toUpperCase() + name.slice(1))] = [from + at, end];
};
for (const one of PLAIN.split(' ')) {
  const [name, begin, end] = one.split(':');
  colors[name!] = [Number(begin), Number(end)];
}
put(30, 39, (name) => name);
put(40, 49, (_, capital) => `bg${capital}`);
colors.framed = [51, 54];
colors.overlined = [53, 55];
put(90, 39, (name) => (name === 'black' ? 'gray' : `${name}Bright`));
put(100, 49, (name, capital) => (name === 'black' ? 'bgGray' : `bg${capital}Bright`));
for (const one of SAME.split(' ')) {
  const [name, other] = one.split(':');
  colors[name!] = colors[other!]!;
}

export const styles: Record<string, string> = Object.assign(Object.create(null), {
  special: 'cyan',
  number: 'yellow',
  bigint: 'yellow',
  boolean: 'yellow',
  undefined: 'grey',
  null: 'bold',
  string: 'green',
  symbol: 'green',
  date: 'magenta',
  regexp: 'red',
  module: 'underline',
});

const plain: Stylize = (text) => text;

const colored: Stylize = (text, style) => {
  const color = colors[styles[style] ?? ''];
  return color ? `\u001b[${color[0]}m${text}\u001b[${color[1]}m` : text;
};

/** What a caller says, over what is said for all. */
export function toContext(given: Partial<Options> & { stylize?: Stylize }): Context {
  const options = { ...defaultOptions, stylize: undefined as Stylize | undefined };
  let userOptions: object | undefined;
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(options, key)) Object.assign(options, { [key]: given[key as keyof Options] });
    else userOptions = given;
  }
  const { depth, maxArrayLength, maxStringLength } = options;
  return {
    ...options,
    depth: depth ?? Number.POSITIVE_INFINITY,
    isUnlimited: depth === null,
    maxArrayLength: Math.max(0, maxArrayLength ?? Number.POSITIVE_INFINITY),
    maxStringLength: maxStringLength ?? Number.POSITIVE_INFINITY,
    stylize: options.colors ? colored : (options.stylize ?? plain),
    indentation: 0,
    currentDepth: 0,
    seen: [],
    circular: undefined,
    userOptions,
  };
}

/** As a value that shows itself is told. */
export function toUserOptions(context: Context) {
  const told = {} as Record<string, unknown>;
  for (const key of Object.keys(defaultOptions)) told[key] = context[key as keyof Options];
  const depth = context.isUnlimited ? null : context.depth;
  return { ...told, depth, stylize: context.stylize, ...context.userOptions };
}
