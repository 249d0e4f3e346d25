import type { Metadata } from 'next';
import { Consent } from '#components/consent/consent.tsx';

export const metadata: Metadata = { title: 'Let an app in', robots: { index: false } };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ConsentPage({ searchParams }: Props) {
  const pairs = Object.entries(await searchParams).flatMap(([name, given = []]) =>
    [given].flat().map((value) => [name, value]),
  );
  return <Consent query={String(new URLSearchParams(pairs))} />;
}
