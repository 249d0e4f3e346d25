import { AppError } from '#lib/base/errors.ts';
import { bundleBot } from '#lib/infra/sandbox/compile/bundle.ts';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';

/** A program (TypeScript or JavaScript, CommonJS or ESM) as it runs. Compile errors: 400, one issue each, `file:line:column: message`. */
export async function compileBot(projectId: string, program: BotProgram): Promise<{ code: string; sourceMap: string }> {
  const built = await bundleBot(projectId, program);
  if (built.ok) return built;
  throw new AppError('invalid', 'The code does not compile', {
    issues: built.errors.map(({ file, line, column, text }) => ({
      text: `${file}:${line}:${column}: ${text}`,
      expression: 'code',
    })),
  });
}
