'use client';
import { useId } from 'react';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import type { Grant } from '#lib/protocol/clients/bounds.ts';

const CHOICES: readonly { grant: Grant; label: string; text: string }[] = [
  { grant: 'client_credentials', label: 'It acts for itself', text: 'A program with its own secret, role and access' },
  {
    grant: 'authorization_code',
    label: 'People sign in to it',
    text: 'An app; their browser comes back to one of its redirect addresses',
  },
  { grant: 'refresh_token', label: 'People stay signed in', text: 'It gets new tokens without asking them again' },
  {
    grant: 'urn:ietf:params:oauth:grant-type:device_code',
    label: 'On devices without a browser',
    text: 'People type a code elsewhere',
  },
  {
    grant: 'urn:ietf:params:oauth:grant-type:token-exchange',
    label: 'With tokens of its identity provider',
    text: 'It brings another’s token for one of ours',
  },
];

type Props = { chosen: readonly string[]; onChoose: (grants: string[]) => void };

/** How a client comes to its tokens. None chosen: in every way, as of a client that was made by the API. */
export function GrantsField({ chosen, onChoose }: Props) {
  const id = useId();
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">How it gets its tokens</legend>
      <p className="mb-1 text-[0.8125rem] text-muted">
        {chosen.length === 0 ? 'None is chosen, so it may in every way.' : 'In these ways, and no other.'}
      </p>
      {CHOICES.map(({ grant, label, text }) => (
        <div key={grant} className="flex items-start gap-2 py-1">
          <Checkbox
            id={`${id}-${grant}`}
            aria-describedby={`${id}-${grant}-text`}
            checked={chosen.includes(grant)}
            onCheckedChange={(on) => onChoose(on ? [...chosen, grant] : chosen.filter((one) => one !== grant))}
          />
          <span className="min-w-0">
            <label htmlFor={`${id}-${grant}`}>{label}</label>
            <span id={`${id}-${grant}-text`} className="block text-[0.8125rem] text-muted">
              {text}
            </span>
          </span>
        </div>
      ))}
    </fieldset>
  );
}
