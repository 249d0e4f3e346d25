import { type Host, setHost } from './host.ts';
import { type GivenToNode, setGivenToNode } from './node/given.ts';

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __createNode: typeof createNode;
__createNode = createNode;

// biome-ignore lint/suspicious/noExplicitAny: what a module has is its own
export type NodeModules = (name: string) => any;

/** Modules of Node, and packages, that a bot may import (host/builtins.ts), each evaluated when first asked for. A bundle of its own, as extras.ts is. */
function createNode(newHost: Host, given: GivenToNode): NodeModules {
  setHost(newHost);
  setGivenToNode(given);
  return (name) => {
    switch (name) {
      case 'assert':
        return require('assert/');
      case 'assert/strict':
        return require('assert/').strict;
      case 'buffer':
        return require('./node/buffer.ts');
      case 'compression-streams':
        return require('./node/compression-streams.ts').compressionStreams;
      case 'crypto':
        return require('./node/crypto.ts').crypto;
      case 'events':
        return require('./node/events.ts').events;
      case 'form-data':
        return require('./packages/form-data.ts').FormData;
      case 'node-fetch':
        return require('./packages/node-fetch.ts').fetch;
      case 'path':
        return require('./node/path.ts').path;
      case 'path/posix':
        return require('./node/path.ts').path;
      case 'perf_hooks':
        return { performance: globalThis.performance };
      case 'process':
        return given.process;
      case 'querystring':
        return require('./node/querystring.ts');
      case 'stream':
        return require('./node/stream.ts').streams;
      case 'stream/consumers':
        return require('./node/stream-consumers.ts');
      case 'stream/promises':
        return require('readable-stream').promises;
      case 'stream/web':
        return require('./node/stream-web.ts').streams;
      case 'string_decoder':
        return require('./node/string-decoder.ts').stringDecoder;
      case 'timers':
        return require('./node/timers.ts');
      case 'timers/promises':
        return require('./node/timers-promises.ts');
      case 'undici':
        return require('./packages/undici.ts');
      case 'url':
        return require('./node/url.ts');
      case 'util':
        return require('./node/util.ts').util;
      case 'util/types':
        return require('./node/util.ts').util.types;
      case 'zlib':
        return require('./node/zlib.ts');
      default:
        throw new Error(`There is no module ${name} in a bot`);
    }
  };
}
