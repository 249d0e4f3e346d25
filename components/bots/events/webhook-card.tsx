'use client';
import Link from 'next/link';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { useBotSecrets } from '#lib/client/bots/bot-secrets.ts';
import { useBotMembership, useBotPart } from '#lib/client/bots/connections/connections.ts';
import { toWebhookCurl } from '#lib/client/bots/connections/webhook-curl.ts';
import {
  hasOwnHeader,
  isSignatureWhole,
  toWebhook,
  toWebhookForm,
  type WebhookForm,
} from '#lib/client/bots/connections/webhook-form.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { PartCard } from './part-card.tsx';

const PRESETS: { value: WebhookForm['preset']; label: string }[] = [
  { value: 'none', label: 'Nobody: anybody may send' },
  { value: 'github', label: 'GitHub' },
  { value: 'stripe', label: 'Stripe' },
  { value: 'slack', label: 'Slack' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'standard-webhooks', label: 'Standard Webhooks' },
  { value: 'hex', label: 'HMAC in hex, in a header' },
  { value: 'base64', label: 'HMAC in base64, in a header' },
];

/** A bot's own address for the world, who signs what is sent there, and how that is called. */
export function WebhookCard({ projectId, bot }: { projectId: string; bot: Stored<Bot> }) {
  const part = useBotPart<WebhookForm>({ projectId, bot, name: 'webhook', read: toWebhookForm, write: toWebhook });
  const { form, change } = part;
  const isSigned = form.preset !== 'none';
  // What is begun of a signature and not seen any more is left out.
  const isWhole = !form.open || isSignatureWhole(form);
  return (
    <PartCard
      id="webhook"
      title="Webhook"
      description="An address of its own at which other systems run the bot, without signing in."
      saveLabel="Save webhook"
      part={part}
      isWhole={isWhole}
    >
      <Toggle label="It has an address" checked={form.open} onCheckedChange={(open) => change({ open })}>
        Whoever knows it may run the bot, within the access of its membership.
      </Toggle>
      {form.open ? (
        <>
          <Field label="Who signs">
            <Select
              value={form.preset}
              options={PRESETS}
              onValueChange={(preset) => change({ preset })}
              className="sm:max-w-96"
            />
          </Field>
          {isSigned ? <Signature projectId={projectId} botId={bot.id} form={form} change={change} /> : null}
          <Toggle label="The bot gets the text" checked={form.raw} onCheckedChange={(raw) => change({ raw })}>
            JSON as it came, to the byte, and not what it says. It is so for all who run the bot.
          </Toggle>
          <Address projectId={projectId} bot={bot} form={form} />
        </>
      ) : null}
    </PartCard>
  );
}

type SignatureProps = {
  projectId: string;
  botId: string;
  form: WebhookForm;
  change: (part: Partial<WebhookForm>) => void;
};

function Signature({ projectId, botId, form, change }: SignatureProps) {
  const known = useBotSecrets(projectId, botId).data?.rows.map(({ name }) => name);
  const isGone = known !== undefined && form.secret !== '' && !known.includes(form.secret);
  const names = known ?? [];
  const options = [...new Set([form.secret, ...names])].map((value) => ({ value, label: value || 'Choose a secret' }));
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Secret"
        error={isGone ? `There is no secret ${form.secret} any more: all that is sent is refused.` : undefined}
        description={
          <>
            With which the sender signs. It stands among{' '}
            <Link
              href={`/p/${projectId}/settings#secrets`}
              className="font-medium text-accent-text underline underline-offset-3"
            >
              the secrets of the project
            </Link>
            , or the bot’s own.
          </>
        }
      >
        <Select value={form.secret} options={options} onValueChange={(secret) => change({ secret })} />
      </Field>
      {hasOwnHeader(form.preset) ? (
        <Field label="Header" description="In which the signature stands.">
          <Input
            value={form.header}
            onValueChange={(header) => change({ header })}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            className="font-mono"
          />
        </Field>
      ) : null}
      <Field
        label="Tolerance, seconds"
        optional
        description="How old what is signed may be; for senders that sign no time, how long the same is taken for a repeat. 300 when empty."
      >
        <Input
          value={form.tolerance}
          onValueChange={(tolerance) => change({ tolerance: tolerance.replace(/\D/g, '') })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          className="max-w-32"
        />
      </Field>
    </div>
  );
}

function Address({ projectId, bot, form }: { projectId: string; bot: Stored<Bot>; form: WebhookForm }) {
  const membership = useBotMembership(projectId, bot.id);
  if (membership.error)
    return <ErrorState error={membership.error} what="its address" onRetry={() => void membership.refetch()} />;
  if (membership.data === undefined) return <Skeleton className="h-20" />;
  if (membership.data === null)
    return <Alert tone="warn">The bot is no member of the project any more, so it has no address.</Alert>;
  const { id, active = true, accessPolicy, access = [] } = membership.data;
  const url = `${window.location.origin}/webhook/${id}`;
  return (
    <>
      {accessPolicy || access.length > 0 ? null : (
        <Alert tone="warn">
          No access policy limits it, so the address answers 403. Give it one{' '}
          <Link href={`/p/${projectId}/members/${id}`}>as a member</Link>.
        </Alert>
      )}
      {active ? null : <Alert tone="warn">The bot is turned off, so the address answers 403.</Alert>}
      <div>
        <p className="font-medium text-sm">Address</p>
        <p className="mt-1 flex min-w-0 items-center gap-1">
          <code className="min-w-0 break-all font-mono text-xs">{url}</code>
          <CopyButton value={url} label="Copy the address" />
        </p>
      </div>
      <CodeSamples label="Call it" samples={[{ label: 'curl', code: toWebhookCurl(url, form) }]} />
    </>
  );
}
