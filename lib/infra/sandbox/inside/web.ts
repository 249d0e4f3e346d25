import * as streams from 'web-streams-polyfill';
import { type Host, setHost } from './host.ts';
import { nameClasses, nameObject } from './name-classes.ts';
import { AbortController, AbortSignal } from './web/abort.ts';
import { Blob, File } from './web/blob.ts';
import { DOMException } from './web/dom-exception.ts';
import { CustomEvent, Event, EventTarget, listenersOf } from './web/event-target.ts';
import { fetch } from './web/fetch.ts';
import { FormData } from './web/form-data.ts';
import { type Given, setGiven } from './web/given.ts';
import { Headers } from './web/headers.ts';
import { Request } from './web/request.ts';
import { Response } from './web/response.ts';
import { showWeb } from './web/shown.ts';
import { TextDecoderStream, TextEncoderStream } from './web/text-streams.ts';
import { CryptoKey } from './web-crypto/crypto-key.ts';
import { hashing } from './web-crypto/hashing.ts';
import { subtle } from './web-crypto/subtle.ts';

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __createWeb: typeof createWeb;
__createWeb = createWeb;

export type Web = ReturnType<typeof createWeb>;

/** What a bot needs that speaks to others: a bundle of its own, as extras.ts is, for the few that do. */
function createWeb(newHost: Host, given: Given) {
  setHost(newHost);
  setGiven(given);
  const { ReadableStream, WritableStream, TransformStream } = streams;
  const { ByteLengthQueuingStrategy, CountQueuingStrategy } = streams;
  showWeb();
  return {
    subtle: nameObject(subtle, 'SubtleCrypto'),
    hashing,
    listenersOf,
    globals: nameClasses({
      ...{
        AbortController,
        AbortSignal,
        Blob,
        CryptoKey,
        CustomEvent,
        DOMException,
        Event,
        EventTarget,
        fetch,
        File,
        FormData,
      },
      ...{ Headers, Request, Response, ReadableStream, WritableStream, TransformStream },
      ...{ ByteLengthQueuingStrategy, CountQueuingStrategy, TextDecoderStream, TextEncoderStream },
    }),
  };
}
