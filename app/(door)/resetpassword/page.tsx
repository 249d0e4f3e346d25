import type { Metadata } from 'next';
import { ResetPassword } from '#components/door/reset-password.tsx';
import { oneValue } from '#lib/client/door/one-value.ts';

export const metadata: Metadata = { title: 'Reset password' };

type Props = { searchParams: Promise<{ project?: string | string[] }> };

export default async function ResetPasswordPage({ searchParams }: Props) {
  const { project } = await searchParams;
  return <ResetPassword projectId={oneValue(project)} />;
}
