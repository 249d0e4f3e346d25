import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Device } from '#components/device/device.tsx';
import { toDeviceSignIn } from '#lib/client/door/device.ts';
import { oneValue } from '#lib/client/door/one-value.ts';
import { pageSession } from '../../page-session.ts';

export const metadata: Metadata = { title: 'Let a device in', robots: { index: false } };

type Props = { searchParams: Promise<{ user_code?: string | string[] }> };

/** Where a device without a browser sends a person (RFC 8628 §3.3). Who is not signed in does that first. */
export default async function DevicePage({ searchParams }: Props) {
  const userCode = oneValue((await searchParams).user_code)?.slice(0, 40);
  if (!(await pageSession())) redirect(toDeviceSignIn(userCode));
  return <Device userCode={userCode} />;
}
