import { wrongType } from './functions.ts';

type Colors = Record<string, [number, number]>;

/** https://nodejs.org/api/util.html#utilstyletextformat-text-options: plain where it goes to a log. */
export function makeStyleText(colors: Colors) {
  return (
    format: string | string[],
    text: string,
    options: { validateStream?: boolean; stream?: { isTTY?: boolean } } = {},
  ) => {
    if (typeof text !== 'string') throw wrongType('The "text" argument must be of type string');
    let [open, close, inner] = ['', '', text];
    for (const name of [format].flat()) {
      if (name === 'none') continue;
      const codes = name.startsWith('#') ? hexCodes(name) : colors[name];
      if (!codes) {
        const names = Object.keys(colors).map((one) => `'${one}'`);
        throw refusal(`The argument 'format' must be one of: ${names.join(', ')}. Received '${name}'`);
      }
      const [begin, end] = codes.map((code) => `\u001b[${code}m`) as [string, string];
      // Bold and dim end together.
      const again = codes[0] === 1 || codes[0] === 2 ? end + begin : begin;
      const last = inner.endsWith(end) ? end : '';
      inner = inner.slice(0, inner.length - last.length).replaceAll(end, again) + last;
      open += begin;
      close = end + close;
    }
    const isPlain = (options.validateStream ?? true) && !(options.stream ?? process.stdout).isTTY;
    return isPlain ? text : `${open}${inner}${close}`;
  };
}

function hexCodes(hex: string): [string, number] {
  if (!/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(hex))
    throw refusal(`The argument 'format' must be a valid hex color (#RGB or #RRGGBB). Received '${hex}'`);
  const digits = hex.length === 4 ? hex.replace(/[\da-f]/gi, '$&$&') : hex;
  const parts = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return [`38;2;${parts.join(';')}`, 39];
}

function refusal(message: string): Error {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}
