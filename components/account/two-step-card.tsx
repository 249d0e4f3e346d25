'use client';
import { useState } from 'react';
import { EnrollFactor } from '#components/factors/enroll-factor.tsx';
import { METHOD_NAMES } from '#components/factors/method-names.ts';
import { RecoveryCodeList } from '#components/factors/recovery-code-list.tsx';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { mailOwnCode, useEnrollFactor, useFactorStatus } from '#lib/client/factors/own-factors.ts';
import type { FactorMethod, FactorStatus } from '#lib/protocol/factors/answers.ts';
import { ConfirmByCode } from './confirm-by-code.tsx';

const ID = 'two-step';

type Doing = { name: 'enroll' } | { name: 'remove'; method: FactorMethod } | { name: 'renew' };

/** What proves that it is you, beside the password. */
export function TwoStepCard() {
  const status = useFactorStatus();
  const [doing, setDoing] = useState<Doing>();
  const [codes, setCodes] = useState<string[]>([]);
  const rest = (status.data?.allowedMethods ?? []).filter((one) => !status.data?.enrolledMethods.includes(one));
  const end = (fresh: string[] = []) => {
    setCodes(fresh);
    setDoing(undefined);
    focusCard(ID);
  };
  return (
    <SettingsCard
      id={ID}
      title="Two-step sign-in"
      description="Besides your password, signing in asks for a code that only you can have."
      action={
        !doing && codes.length === 0 && rest.length > 0 ? (
          <Button onClick={() => setDoing({ name: 'enroll' })}>
            {status.data?.enrolled ? 'Add another way' : 'Set up'}
          </Button>
        ) : null
      }
    >
      {status.error ? (
        <ErrorState error={status.error} what="your two-step sign-in" onRetry={() => void status.refetch()} />
      ) : !status.data ? (
        <Skeleton className="h-6 w-64 max-w-full" />
      ) : codes.length > 0 ? (
        <KeepCodes codes={codes} onKept={() => end()} />
      ) : doing?.name === 'enroll' ? (
        <Enroll status={status.data} methods={rest} onDone={end} />
      ) : doing ? (
        <ConfirmByCode
          doing={doing}
          mayMail={status.data.enrolledMethods.includes('email') ? status.data.email : undefined}
          onDone={end}
          onCancel={() => end()}
        />
      ) : (
        <Enrolled status={status.data} onDo={setDoing} />
      )}
    </SettingsCard>
  );
}

function Enrolled({ status, onDo }: { status: FactorStatus; onDo: (doing: Doing) => void }) {
  if (!status.enrolled) return <Badge tone="neutral">Off</Badge>;
  const { enrolledMethods, recoveryCodesLeft: left } = status;
  return (
    <ul aria-label="Ways to prove it is you" className="divide-y divide-line">
      {enrolledMethods.map((method) => (
        <li key={method} className="flex min-h-14 flex-wrap items-center gap-3 py-2">
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-medium">{METHOD_NAMES[method].title}</p>
            <p className="text-[0.8125rem] text-muted">{METHOD_NAMES[method].text}</p>
          </div>
          <Button
            size="sm"
            aria-label={`Remove ${METHOD_NAMES[method].title.toLowerCase()}`}
            onClick={() => onDo({ name: 'remove', method })}
          >
            Remove
          </Button>
        </li>
      ))}
      <li className="flex min-h-14 flex-wrap items-center gap-3 py-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium">Recovery codes</p>
          <p className="text-[0.8125rem] text-muted">
            {left === 1 ? 'One is left' : `${left} are left`}, for when your phone is not at hand
          </p>
        </div>
        <Button size="sm" onClick={() => onDo({ name: 'renew' })}>
          Make new ones
        </Button>
      </li>
    </ul>
  );
}

type EnrollProps = { status: FactorStatus; methods: FactorMethod[]; onDone: (codes?: string[]) => void };

function Enroll({ status, methods, onDone }: EnrollProps) {
  const enroll = useEnrollFactor();
  return (
    <EnrollFactor
      offer={{ ...status, methods }}
      mailCode={mailOwnCode}
      onCancel={() => onDone()}
      onEnroll={async (given) => {
        const codes = await enroll.mutateAsync(given);
        toast({ title: 'Two-step sign-in is on' });
        onDone(codes);
      }}
    />
  );
}

function KeepCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  return (
    <>
      <p className="mb-3">
        <strong className="font-medium">Keep your recovery codes.</strong>{' '}
        <span className="text-muted">
          Each opens your account once, when your phone is not at hand. They are shown only now.
        </span>
      </p>
      <RecoveryCodeList codes={codes} />
      <Button variant="primary" className="mt-4" onClick={onKept}>
        I have kept them
      </Button>
    </>
  );
}
