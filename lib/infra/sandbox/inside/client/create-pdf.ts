import { evaluate } from '../primordials.ts';
import type { CallBridge } from './api-fetch.ts';

type Stream = { on(event: string, listen: (value: never) => void): void; end(): void };
type Maker = {
  pdfMake: { createPdf(doc: unknown, layouts: unknown, fonts: unknown, vfs: unknown): { getStream(): Stream } };
  vfs: unknown;
};

const MOST_DEPTH = 200;
const FONTS = {
  Roboto: {
    normal: 'Roboto-Regular.ttf',
    bold: 'Roboto-Medium.ttf',
    italics: 'Roboto-Italic.ttf',
    bolditalics: 'Roboto-MediumItalic.ttf',
  },
};

/** What `createPdf` of the client stands on: a definition for pdfmake becomes the bytes of a PDF. Throws for what would have to be fetched. */
export function createPdfMaker(callBridge: CallBridge) {
  let maker: Promise<Maker> | undefined;
  return async (definition: unknown, layouts: unknown, fonts: unknown): Promise<Uint8Array> => {
    if (fonts !== undefined) throw new TypeError('createPdf: fonts are not taken: Roboto is there');
    refuseAddresses(definition, 0);
    maker ??= callBridge('library', ['pdf']).then((script) => evaluate(script as string) as Maker);
    const { pdfMake, vfs } = await maker;
    return bytesOf(pdfMake.createPdf(definition, layouts, FONTS, vfs).getStream());
  };
}

function bytesOf(stream: Stream): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    stream.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => {
      const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
      }
      resolve(bytes);
    });
    stream.end();
  });
}

/** An image is data; its address would be fetched. */
function refuseAddresses(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MOST_DEPTH) throw new RangeError('createPdf: the definition is nested too deeply');
  for (const [key, inner] of Object.entries(value)) {
    const isImage = key === 'image' || key === 'images';
    if (isImage && JSON.stringify(inner ?? '').match(/"https?:/))
      throw new TypeError('createPdf: images are given as data: addresses are not fetched');
    refuseAddresses(inner, depth + 1);
  }
}
