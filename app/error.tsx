'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';

type Props = { error: Error & { digest?: string }; reset: () => void };

/** A fault of this page itself; faults of the API are shown where their data would stand. */
export default function ErrorPage({ error, reset }: Props) {
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-center justify-center px-6 text-center"
    >
      <h1 className="font-semibold text-xl">This page failed to draw</h1>
      <p className="mt-2 text-muted">
        Your data is not affected. Try again; if it keeps failing, send the details to whoever runs this server.
      </p>
      {error.digest ? (
        <p className="mt-2 text-muted text-xs">
          Error <code className="font-mono">{error.digest}</code>
        </p>
      ) : null}
      <div className="mt-5 flex gap-2">
        <Button variant="primary" onClick={reset}>
          Try again
        </Button>
        <CopyButton size="md" label="Copy details" value={`page error ${error.digest ?? error.name}`}>
          Copy details
        </CopyButton>
      </div>
    </main>
  );
}
