'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { whilePending } from '#lib/client/api/pending.ts';

/** Asks for the mail with the code, and says that it is on its way. */
export function MailCode({ to, send }: { to: string | undefined; send: () => Promise<void> }) {
  const [state, setState] = useState<'none' | 'busy' | 'sent'>('none');
  const [problem, setProblem] = useState<string>();

  async function ask() {
    setState('busy');
    setProblem(undefined);
    try {
      await whilePending(send);
      setState('sent');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The mail was not sent');
      setState('none');
    }
  }

  return (
    <div className="mb-5 flex flex-col items-start gap-3">
      {problem ? <Alert tone="danger">{problem}</Alert> : null}
      {state === 'sent' ? (
        <Alert tone="good">A code is on its way to {to ?? 'your address'}. It works for ten minutes.</Alert>
      ) : null}
      <Button busy={state === 'busy'} onClick={() => void ask()}>
        {state === 'sent' ? 'Send another code' : 'Send me a code'}
      </Button>
    </div>
  );
}
