import { type Language, makeLanguage } from './make-language.ts';
import type { FromPage, FromWorker } from './messages.ts';
import { bringTypeScript } from './typescript.ts';

type Scope = { importScripts: (url: string) => void; ts: Parameters<typeof bringTypeScript>[0] };
const scope = self as unknown as Scope;

/** The language service in a thread of its own: what it takes to read 5 MB of declarations, nobody who types waits for. */
let language: Language | undefined;

self.onmessage = async ({ data }: MessageEvent<FromPage>) => {
  try {
    if (data.kind === 'types') {
      const types = await unpack(data.bytes);
      bringTypeScript(evaluate(types['/typescript.js'] ?? ''));
      delete types['/typescript.js'];
      language = makeLanguage(types);
      // The first question reads all that is declared: asked here, it is not the author's.
      language.ask('index.ts', '', { kind: 'check' });
      language.sync([], ['index.ts']);
      tell({ kind: 'ready' });
      return;
    }
    if (data.kind === 'files') {
      language?.sync(data.changed, data.removed);
      return;
    }
    const { id, file, text, question } = data;
    tell({ kind: 'answer', id, answer: language?.ask(file, text, question) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (data.kind === 'types') tell({ kind: 'failed', text });
    // A question that the service fails at has no answer; the next one may.
    else if (data.kind === 'ask') tell({ kind: 'answer', id: data.id, answer: undefined });
  }
};

/** The compiler as a script of its own, which leaves itself as the global `ts`. */
function evaluate(script: string): Scope['ts'] {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  scope.importScripts(url);
  URL.revokeObjectURL(url);
  return scope.ts;
}

async function unpack(bytes: ArrayBuffer): Promise<Record<string, string>> {
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).json();
}

function tell(message: FromWorker): void {
  self.postMessage(message);
}
