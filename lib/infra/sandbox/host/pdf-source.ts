import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sandboxPath } from './sandbox-path.ts';

let loaded: string | undefined;

/**
 * pdfmake with its fonts, as one script whose value is both. It is evaluated in the context of the bot that asks for it: what a bot draws, its
 * own functions in it, stays under the limits of its run, and has no files and no network.
 */
export function loadPdfMaker(): string {
  loaded ??= read();
  return loaded;
}

function read(): string {
  const { resolve } = createRequire(sandboxPath('host/pdf-source.ts'));
  const maker = readFileSync(resolve('pdfmake/build/pdfmake.min.js'), 'utf8');
  const fonts = readFileSync(resolve('pdfmake/build/vfs_fonts.js'), 'utf8');
  // It is made for browsers, and looks for what one of them is called.
  const browser = 'const navigator = { userAgent: "" }; const self = { navigator }; self.self = self;';
  const module = 'const module = { exports: {} }; let exports = module.exports;';
  return `(() => { ${browser} ${module} ${maker}\n; const pdfMake = module.exports; ${fonts}\n; return { pdfMake, vfs }; })()`;
}
