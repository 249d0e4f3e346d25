import type { Metadata } from 'next';
import { Settings } from '#components/settings/settings.tsx';

export const metadata: Metadata = { title: 'Project settings' };

type Props = { params: Promise<{ project: string }> };

export default async function SettingsPage({ params }: Props) {
  const { project } = await params;
  return <Settings projectId={project} />;
}
