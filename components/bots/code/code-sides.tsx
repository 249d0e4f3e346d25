import { LazyCode } from './lazy-code.tsx';

export type CodeSidesProps = { sides: readonly { title: string; code: string }[] };

/** Two texts side by side, to choose between. */
export function CodeSides({ sides }: CodeSidesProps) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {sides.map(({ title, code }) => (
        <section key={title} aria-label={title} className="min-w-0">
          <h3 className="mb-2 font-medium">{title}</h3>
          <div className="h-[50dvh] overflow-hidden rounded-lg border border-line bg-surface">
            <LazyCode label={title} code={code} />
          </div>
        </section>
      ))}
    </div>
  );
}
