import { Hl7Message } from '../../../protocol/hl7/message.ts';
import { structuredClone } from './clone.ts';
import { type Host, host, setHost } from './host.ts';
import { nameClasses, nameObject, shows } from './name-classes.ts';
import { limited, refuse, TextDecoder, TextEncoder } from './text.ts';
import { URL } from './url.ts';
import { URLSearchParams } from './url-search-params.ts';
import { createMarks } from './web/marks.ts';

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __createExtras: typeof createExtras;
__createExtras = createExtras;

export type Extras = ReturnType<typeof createExtras>;

/**
 * What most runs never touch. A bundle of its own inside the prelude, evaluated when first asked for: it would cost every
 * run a third of its time. The two bundles share no module.
 */
function createExtras(newHost: Host) {
  setHost(newHost);
  const atob = (text: unknown) => host('atob', limited(text)) ?? refuse('atob: the text is not base64');
  const btoa = (text: unknown) => host('btoa', limited(text)) ?? refuse('btoa: the text is not Latin-1');
  const crypto = nameObject({ randomUUID: () => host('uuid'), getRandomValues }, 'Crypto');
  shows(URL, 'href origin protocol username password host hostname port pathname search searchParams hash');
  shows(TextDecoder, 'encoding fatal ignoreBOM');
  showQuery();
  const classes = nameClasses({ TextDecoder, TextEncoder, URL, URLSearchParams });
  return { Hl7Message, createMarks, globals: { ...classes, atob, btoa, crypto, structuredClone } };
}

/** A name may stand in it twice. */
function showQuery(): void {
  Object.defineProperty(URLSearchParams.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    __proto__: null,
    value(
      this: URLSearchParams,
      depth: number | null,
      options: object,
      inspect: (value: unknown, options: object) => string,
    ) {
      if (depth !== null && depth < 0) return '[Object]';
      const pairs = Array.from(this, ([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`);
      const isLong = pairs.reduce((sum, pair) => sum + pair.length + 2, -2) > 80;
      if (pairs.length === 0) return 'URLSearchParams {}';
      return isLong ? `URLSearchParams {\n  ${pairs.join(',\n  ')} }` : `URLSearchParams { ${pairs.join(', ')} }`;
    },
    configurable: true,
    writable: true,
  } as PropertyDescriptor);
}

function getRandomValues<T extends ArrayBufferView>(array: T): T {
  const bytes = host('random', array.byteLength);
  if (array.byteLength > 65_536 || !bytes) throw new RangeError('getRandomValues gives up to 65536 bytes');
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return array;
}
