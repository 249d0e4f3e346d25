'use client';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import { whilePending } from '#lib/client/api/pending.ts';

type Props = { email: string; disabled: boolean; onMail: (email: string) => Promise<void> };

/** For who has no password, or not at hand. */
export function MailInstead({ email, disabled, onMail }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<FormProblem>();
  return (
    <div className="mt-5 flex flex-col gap-5">
      <FormProblemAlert problem={problem} />
      <Button
        size="lg"
        busy={busy}
        disabled={disabled}
        onClick={async () => {
          setBusy(true);
          setProblem(undefined);
          try {
            await whilePending(() => onMail(email.trim()));
          } catch (error) {
            setProblem(applyApiError(error, [], () => undefined));
            setBusy(false);
          }
        }}
      >
        <Mail aria-hidden="true" />
        E-mail me a link
      </Button>
    </div>
  );
}
