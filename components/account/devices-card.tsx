'use client';
import { useState } from 'react';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useDevices, useForgetDevice } from '#lib/client/account/devices.ts';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import type { OwnDevice } from '#lib/protocol/devices/answers.ts';
import { NameDevice } from './name-device.tsx';
import { toPlace } from './place.ts';
import { SessionDevice, toAgentName, toDeviceName } from './session-device.tsx';

type Asked = { what: 'name' | 'forget'; device: OwnDevice };

/** By which browsers one has come in. A new one is told by mail. */
export function DevicesCard() {
  const devices = useDevices();
  const [asked, setAsked] = useState<Asked>();
  return (
    <SettingsCard
      id="devices"
      title="Your browsers"
      description="You have signed in by these, and get a mail when a new one is used."
    >
      {devices.data ? (
        <List devices={devices.data.devices} onAsk={setAsked} />
      ) : devices.error ? (
        <ErrorState error={devices.error} what="your browsers" onRetry={() => void devices.refetch()} />
      ) : (
        <SkeletonRegion label="Loading your browsers">
          <Skeleton className="h-5 w-44" />
        </SkeletonRegion>
      )}
      {asked?.what === 'name' ? <NameDevice device={asked.device} onClose={() => setAsked(undefined)} /> : null}
      {asked?.what === 'forget' ? <ForgetDevice device={asked.device} onClose={() => setAsked(undefined)} /> : null}
    </SettingsCard>
  );
}

function List({ devices, onAsk }: { devices: readonly OwnDevice[]; onAsk: (asked: Asked) => void }) {
  if (devices.length === 0) return <p className="text-muted">None is known yet: the next sign-in shows here.</p>;
  return (
    <ul aria-label="Browsers" className="divide-y divide-line">
      {devices.map((device) => (
        <DeviceRow key={device.id} device={device} onAsk={(what) => onAsk({ what, device })} />
      ))}
    </ul>
  );
}

function DeviceRow({ device, onAsk }: { device: OwnDevice; onAsk: (what: Asked['what']) => void }) {
  const name = toDeviceName(device);
  const agent = device.name ? toAgentName(device) : '';
  const place = toPlace(device.remoteAddress);
  return (
    <ListRow about={device.id} className="flex min-h-14 flex-wrap items-center gap-3 py-2">
      <SessionDevice os={device.os} />
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {device.current ? (
            <Badge tone="good" dot>
              This one
            </Badge>
          ) : null}
        </p>
        <p className="text-[0.8125rem] text-muted">
          {agent ? `${agent} · ` : ''}since <Time at={device.firstSeenAt} /> · last sign-in{' '}
          <Time at={device.lastSeenAt} />
          {place ? ` from ${place}` : ''}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Name ${name}`} onClick={() => onAsk('name')}>
          Name
        </Button>
        <Button size="sm" aria-label={`Sign out ${name}`} onClick={() => onAsk('forget')}>
          Sign out
        </Button>
      </div>
    </ListRow>
  );
}

function ForgetDevice({ device, onClose }: { device: OwnDevice; onClose: () => void }) {
  const forget = useForgetDevice();
  const name = toDeviceName(device);
  return (
    <ConfirmDialog
      danger
      title={`Sign out ${name}?`}
      confirm="Sign out and forget"
      onConfirm={async () => {
        await forget.mutateAsync(device.id);
        if (device.current) return signOutHere();
        toast({ title: `${name} is signed out` });
        focusCard('devices');
      }}
      onClose={onClose}
    >
      <p>
        Every session in it ends at once, in all projects and apps{device.current ? ', this one too' : ''}. If it was
        not you, choose a new password as well.
      </p>
    </ConfirmDialog>
  );
}
