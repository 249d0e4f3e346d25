import { Hl7Message } from '../../../protocol/hl7/message.ts';
import { structuredClone } from './clone.ts';
import { type Host, host, setHost } from './host.ts';
import { limited, refuse, TextDecoder, TextEncoder } from './text.ts';
import { URL } from './url.ts';
import { URLSearchParams } from './url-search-params.ts';

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
  const crypto = { randomUUID: () => host('uuid'), getRandomValues };
  return {
    Hl7Message,
    globals: { TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa, crypto, structuredClone },
  };
}

function getRandomValues<T extends ArrayBufferView>(array: T): T {
  const bytes = host('random', array.byteLength);
  if (array.byteLength > 65_536 || !bytes) throw new RangeError('getRandomValues gives up to 65536 bytes');
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return array;
}
