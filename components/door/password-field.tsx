'use client';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { cn } from '#components/ui/cn.ts';
import { Field } from '#components/ui/form/field.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { advisePassword, type PasswordAdvice } from '#lib/client/door/password-advice.ts';

export type NewPasswordFieldProps = {
  registration: UseFormRegisterReturn;
  value: string;
  /** Name and e-mail, which a password must not contain. */
  personal: readonly string[];
  error?: string;
  label?: string;
};

/** A new password with a live meter and the reasons behind it. */
export function NewPasswordField({ registration, value, personal, error, label = 'Password' }: NewPasswordFieldProps) {
  const [touched, setTouched] = useState(false);
  const advice = advisePassword(value, personal);
  return (
    <div>
      <Field label={label} error={error}>
        <PasswordInput
          large
          autoComplete="new-password"
          aria-describedby="password-rules"
          {...registration}
          onFocus={() => setTouched(true)}
        />
      </Field>
      <Meter advice={advice} empty={value === ''} />
      <ul id="password-rules" className="mt-2.5 flex flex-col gap-1">
        {advice.rules.map((rule) => {
          const state = value === '' ? 'open' : rule.met ? 'met' : 'broken';
          const Icon = state === 'broken' ? X : Check;
          return (
            <li
              key={rule.id}
              className={cn(
                'flex items-center gap-2 text-[0.8125rem] text-muted',
                state === 'met' && 'text-good-text',
                state === 'broken' && touched && 'text-ink',
              )}
            >
              <Icon className={cn('size-3.5 shrink-0', state === 'open' && 'opacity-40')} aria-hidden="true" />
              {rule.text}
              <span className="sr-only">{state === 'open' ? '' : state === 'met' ? ': met' : ': not met'}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const WORDS = ['', 'Weak', 'Fair', 'Good', 'Strong'];
const TINTS = ['bg-line', 'bg-danger', 'bg-warn-text', 'bg-accent', 'bg-accent'];

function Meter({ advice, empty }: { advice: PasswordAdvice; empty: boolean }) {
  const score = empty ? 0 : advice.score;
  return (
    <div className="mt-2.5 flex items-center gap-3">
      <div className="grid flex-1 grid-cols-4 gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cn('h-1 rounded-full bg-line transition-colors duration-200', step <= score && TINTS[score])}
          />
        ))}
      </div>
      <span className="w-12 text-right text-muted text-xs" aria-live="polite">
        {WORDS[score]}
      </span>
    </div>
  );
}
