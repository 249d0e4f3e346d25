import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { SecretArea } from '#components/ui/form/secret-area.tsx';
import { type Promotion, SECRET_CHARACTERS } from '#lib/protocol/bots/promote.ts';
import type { Refused } from '#lib/protocol/bots/wants/wants.ts';

export type PromotionPreviewProps = {
  promotion: Promotion;
  /** Whether its settings go, too: those of a bot that is made do. */
  withSettings: boolean;
  isLive: boolean;
  secrets: Record<string, string>;
  onSecret: (name: string, value: string) => void;
};

const SETTINGS: Record<string, string> = {
  timeout: 'Time limit',
  rawBody: 'Input as it came',
  runAsUser: 'Runs as its caller',
  allowedHost: 'Hosts that it may call',
  auditEventTrigger: 'Runs in the audit log',
};

/** What would come to the other project, and what the bot would lack there: secrets can be given. */
export function PromotionPreview({ promotion, withSettings, isLive, secrets, onSecret }: PromotionPreviewProps) {
  const { bot, version, next, live, isSame, keepsDraft, settings, refused } = promotion;
  const missing = secretsOf(refused);
  const others = refused.filter(({ kind }) => kind !== 'secret');
  return (
    <>
      <section aria-label="What would change there" className="rounded-lg border border-line px-3.5 py-3">
        <ul className="flex list-disc flex-col gap-1 pl-4">
          {bot ? (
            <li>
              Version {version} becomes version {next} of {bot.display ?? bot.reference}
              {toBecoming(isLive, keepsDraft)}
            </li>
          ) : (
            <li>
              That project has no bot with this identifier. It is made there, with version {version} as its first.
            </li>
          )}
          {bot ? <li>{live === null ? 'Nothing of it is live there.' : `Version ${live} is live there.`}</li> : null}
          {keepsDraft ? <li>Its draft there has changes that no version has: it stays as it is.</li> : null}
          {isSame ? <li>What is live there has the same source.</li> : null}
          {withSettings
            ? settings.map(({ name, here, there }) => (
                <li key={name}>
                  {SETTINGS[name] ?? name}: {there === undefined ? '' : `${toWords(there)} → `}
                  {toWords(here)}
                </li>
              ))
            : null}
        </ul>
      </section>
      {others.length > 0 ? (
        <Alert tone="warn" title="Its source asks for what is not allowed to it there">
          {others.map(toLack).join(', ')}
        </Alert>
      ) : null}
      {missing.length > 0 ? (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-medium text-sm">Secrets that it lacks there</legend>
          {missing.map((name) => (
            <Field
              key={name}
              label={<span className="font-mono text-[0.8125rem]">{name}</span>}
              optional
              error={isTooLong(secrets[name]) ? 'At most 32,768 characters' : undefined}
            >
              <SecretArea value={secrets[name] ?? ''} onValueChange={(value) => onSecret(name, value)} />
            </Field>
          ))}
          <p className="text-muted text-xs">
            What is given here is kept for this bot there alone. The rest can be set there later.
          </p>
        </fieldset>
      ) : null}
    </>
  );
}

function toBecoming(isLive: boolean, keepsDraft: boolean): string {
  if (isLive) return ', and live at once.';
  return keepsDraft ? '.' : ', and its draft.';
}

export function isTooLong(secret = ''): boolean {
  return secret.length > SECRET_CHARACTERS;
}

/** Names of those that are missing. */
export function secretsOf(refused: readonly Refused[]): string[] {
  return refused.flatMap((want) => (want.kind === 'secret' ? [want.name] : []));
}

function toLack(want: Refused): string {
  return want.kind === 'resource' ? `${want.interaction} ${want.type}` : want.name;
}

function toWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
