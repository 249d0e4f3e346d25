import { existsSync } from 'node:fs';
import path from 'node:path';

const SANDBOX = 'lib/infra/sandbox';

/**
 * A file below lib/infra/sandbox on disk. A page's module graph is bundled by Next, where `import.meta` names no source file;
 * there the working directory is the project's.
 */
export function sandboxPath(name: string): string {
  const beside = import.meta.dirname ? path.join(import.meta.dirname, '..', name) : '';
  return beside && existsSync(beside) ? beside : path.join(process.cwd(), SANDBOX, name);
}
