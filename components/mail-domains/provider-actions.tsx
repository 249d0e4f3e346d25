'use client';
import { Button } from '#components/ui/button.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import type { MailDomainEdit } from '#lib/protocol/mail-domains/requests.ts';

export type SaveProvider = (edit: Pick<MailDomainEdit, 'identityProvider' | 'samlProvider'>) => Promise<void>;

type Props = {
  busy: boolean;
  /** Where there is one to remove. */
  onRemove?: () => Promise<void>;
  onFailed: (problem: FormProblem | undefined) => void;
  onClose: () => void;
};

export function ProviderActions({ busy, onRemove, onFailed, onClose }: Props) {
  return (
    <div className="flex flex-wrap justify-end gap-2 pt-1">
      {onRemove ? (
        <Button
          variant="ghost"
          disabled={busy}
          onClick={() => void onRemove().catch((error: unknown) => onFailed(applyApiError(error, [], () => undefined)))}
        >
          Remove provider
        </Button>
      ) : null}
      <Button onClick={onClose}>Cancel</Button>
      <SubmitButton busy={busy}>Save provider</SubmitButton>
    </div>
  );
}
