import { Alert } from '#components/ui/feedback/alert.tsx';
import type { CompileError } from '#lib/client/bots/compile-errors.ts';

export type CompileErrorsProps = {
  errors: readonly CompileError[];
  /** Of many files each error says its own. */
  isMany: boolean;
  live: number | null | undefined;
  onShow: (error: CompileError) => void;
};

/** Why the last deploy was refused; each error leads to its place. */
export function CompileErrors({ errors, isMany, live, onShow }: CompileErrorsProps) {
  return (
    <Alert
      tone="danger"
      title={toTitle(errors.length, live)}
      className="max-h-40 shrink-0 overflow-y-auto rounded-none"
    >
      <ul>
        {errors.map((error) => {
          const { file, line, column, text } = error;
          return (
            <li key={`${file}:${line}:${column}:${text}`}>
              <button
                type="button"
                className="text-left underline decoration-1 underline-offset-2 hover:decoration-2"
                onClick={() => onShow(error)}
              >
                <span className="font-mono text-xs">
                  {isMany ? `${file}:` : ''}
                  {line}:{column}
                </span>{' '}
                {text}
              </button>
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}

function toTitle(count: number, live: number | null | undefined): string {
  const still = live ? ` Version ${live} stays live.` : '';
  return `${count === 1 ? 'This does not compile.' : `${count} errors. This does not compile.`}${still}`;
}
