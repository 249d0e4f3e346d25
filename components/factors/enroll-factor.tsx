'use client';
import Image from 'next/image';
import { useState } from 'react';
import { CodeInput } from '#components/door/code-input.tsx';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import type { Enrolment, FactorMethod } from '#lib/protocol/factors/answers.ts';
import { enrollFactorRequest } from '#lib/protocol/factors/requests.ts';
import { MailCode } from './mail-code.tsx';

export type EnrollFactorProps = {
  offer: Partial<Enrolment> & { methods: FactorMethod[]; email?: string };
  mailCode: () => Promise<void>;
  onEnroll: (given: { token: string; method: FactorMethod }) => Promise<void>;
  onCancel?: () => void;
};

const OTHER: Record<FactorMethod, string> = { totp: 'Use an authenticator app', email: 'Use codes by e-mail' };

/** Sets a second factor up: the secret goes to an authenticator app, or a code to the mailbox, and a code comes back. */
export function EnrollFactor({ offer, mailCode, onEnroll, onCancel }: EnrollFactorProps) {
  const { methods, email } = offer;
  const [method, setMethod] = useState<FactorMethod>(methods[0] ?? 'totp');
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ token: string }>(
    enrollFactorRequest.pick({ token: true }),
    ['token'],
    ({ token }) => onEnroll({ token, method }),
  );
  return (
    <>
      {method === 'totp' ? <Secret offer={offer} /> : <MailCode to={email} send={mailCode} />}
      <Form busy={busy} onSubmit={onSubmit} className="flex max-w-md flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field
          label="Six-digit code"
          description={method === 'totp' ? 'The one that the app shows now.' : 'The one in the mail.'}
          error={errorOf('token')}
        >
          <CodeInput {...form.register('token')} />
        </Field>
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={busy}>Turn on</SubmitButton>
          {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
        </div>
      </Form>
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <Button key={other} variant="link" className="mt-5 self-start" onClick={() => setMethod(other)}>
            {OTHER[other]}
          </Button>
        ))}
    </>
  );
}

function Secret({ offer }: Pick<EnrollFactorProps, 'offer'>) {
  const secret = new URL(offer.enrollUri ?? 'otpauth://').searchParams.get('secret') ?? '';
  return (
    <div className="mb-5 flex flex-wrap items-center gap-5">
      {/* Dark on light in both themes: cameras read it so. */}
      <Image
        unoptimized
        src={offer.enrollQrCode ?? ''}
        width={176}
        height={176}
        alt="QR code for your authenticator app"
        className="size-44 rounded-lg border border-line bg-white [image-rendering:pixelated]"
      />
      <div className="min-w-0 flex-1 basis-52">
        <p className="text-muted">Scan this with your authenticator app, or type this key into it:</p>
        <p className="mt-2 flex items-center gap-1">
          <code className="min-w-0 break-all font-mono text-[0.8125rem]">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton value={secret} label="Copy the key" />
        </p>
      </div>
    </div>
  );
}
