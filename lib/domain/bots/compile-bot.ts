import { AppError } from '#lib/base/errors.ts';
import { bundleBot } from '#lib/infra/sandbox/host/bundle.ts';

/** Source (TypeScript or JavaScript, CommonJS or ESM) as it runs. Compile errors: 400, one issue each, `file:line:column: message`. */
export async function compileBot(source: string, filename: string): Promise<{ code: string; sourceMap: string }> {
  const built = await bundleBot({ source, filename });
  if (built.ok) return built;
  throw new AppError('invalid', 'The code does not compile', {
    issues: built.errors.map(({ file, line, column, text }) => ({
      text: `${file}:${line}:${column}: ${text}`,
      expression: 'code',
    })),
  });
}
