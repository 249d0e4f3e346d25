import { Alert } from '#components/ui/feedback/alert.tsx';
import type { FormProblem } from '#lib/client/api/form-errors.ts';

/** What the API refused and no field could show. */
export function FormProblemAlert({ problem }: { problem: FormProblem | undefined }) {
  if (!problem) return null;
  return (
    <Alert tone="danger">
      {problem.texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {problem.requestId ? (
        <p className="mt-1 text-xs">
          Request <code className="font-mono">{problem.requestId}</code>
        </p>
      ) : null}
    </Alert>
  );
}
